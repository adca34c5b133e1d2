// Longbox
// SPDX-License-Identifier: MIT

public import LongboxUpstream

/// A small question that shows whether a source answers.
public struct SourceQuestion: Sendable {
  /// The source.
  let source: Source
  /// Where it is.
  let address: String
  /// Asks it; nil if Longbox never asks it.
  let ask: (@Sendable () async throws(UpstreamError) -> Reply)?

  /// Makes a question.
  /// - Parameters:
  ///   - exchange: what is asked.
  ///   - transport: asks the source.
  public init(_ exchange: Exchange, over transport: Transport) {
    source = exchange.source
    address = exchange.address.origin.description
    ask = { () async throws(UpstreamError) in try await transport.send(exchange) }
  }

  /// A source that Longbox never asks, by the operator's settings.
  public init(unasked source: Source) {
    self.source = source
    address = ""
    ask = nil
  }
}
