// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// Asks Wikipedia for pages that may be about an album, and their introductions, in one call; the transport
/// brings the request policies: ``Transport/checkingWikiErrors()`` inside
/// ``Transport/withRequestPolicies(for:pace:retry:observer:term:)``.
public struct WikipediaClient: Sendable {
  /// The longest reply in bytes: eight introductions.
  private static let byteLimit = 1 << 20
  private static let timeLimit = Duration.seconds(20)

  /// The language code of the Wikipedia.
  public var language: String { address.language }

  private let transport: Transport
  private let address: WikipediaAddress

  /// Makes a client.
  /// - Parameters:
  ///   - transport: sends requests. The client adds the checks of status and wiki errors, if missing.
  ///   - address: where Wikipedia is.
  public init(transport: Transport, address: WikipediaAddress) {
    self.transport = transport.checkingStatus().checkingWikiErrors()
    self.address = address
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
    let reply = try await transport.send(exchange)
    do throws(WikipediaReply.Fault) {
      _ = try WikipediaReply(json: reply.body)
    } catch {
      throw .malformed(.wikipedia, at: "\(exchange.subject): \(error)")
    }
    return reply.body
  }
}
