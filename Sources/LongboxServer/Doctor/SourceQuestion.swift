// Longbox
// SPDX-License-Identifier: MIT

public import LongboxUpstream

/// A small request that shows whether a source answers.
public struct SourceQuestion: Sendable {
  /// The source.
  let source: Source
  /// Its address.
  let address: String
  /// Sends the request; nil if Longbox doesn't use the source.
  let ask: (@Sendable () async throws(UpstreamError) -> Reply)?

  /// Creates a question.
  /// - Parameters:
  ///   - exchange: the request.
  ///   - transport: sends it.
  public init(_ exchange: Exchange, over transport: Transport) {
    source = exchange.source
    address = exchange.address.origin.description
    ask = { () async throws(UpstreamError) in try await transport.send(exchange) }
  }

  /// Creates a question for a source that Longbox doesn't use, because of the settings.
  public init(unasked source: Source) {
    self.source = source
    address = ""
    ask = nil
  }
}
