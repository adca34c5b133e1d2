// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// Asks Wikipedia for pages that may be about an album, and their introductions, in one call.
public struct WikipediaClient: Sendable {
  /// The longest reply in bytes: eight introductions.
  private static let byteLimit = 1 << 20
  private static let timeLimit = Duration.seconds(20)

  /// The language code of the Wikipedia.
  public var language: String { address.language }

  private let source: SourceClient
  private let address: WikipediaAddress

  /// Makes a client.
  /// - Parameters:
  ///   - source: sends requests, under a policy.
  ///   - address: where Wikipedia is.
  public init(source: SourceClient, address: WikipediaAddress) {
    self.source = source
    self.address = address
  }

  /// Makes a client without pace and retries, for samples and tests.
  public init(transport: Transport, address: WikipediaAddress) {
    self.init(source: SourceClient(over: transport), address: address)
  }

  /// Asks for the pages that may be about an album.
  /// - Returns: the reply's bytes, verbatim; ``WikipediaReply`` can parse them.
  public func ask(about album: Album) async throws(UpstreamError) -> [UInt8] {
    let exchange = Exchange(
      source: .wikipedia,
      subject: "pages about “\(album.name.base)”",
      address: address.pages(about: album),
      byteLimit: Self.byteLimit,
      timeLimit: Self.timeLimit
    )
    let reply = try await source.send(exchange)
    do throws(WikipediaReply.Fault) {
      _ = try WikipediaReply(json: reply.body)
    } catch {
      throw .malformed(.wikipedia, at: "\(exchange.subject): \(error)")
    }
    return reply.body
  }
}
