// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// Asks Wikipedia which pages may be about an album, and how they begin; one call each.
///
/// What stands before it gives it manners: ``Transport/checkingWikiErrors()`` beneath
/// ``Transport/withManners(for:pace:retry:)``.
public struct WikipediaClient: Sendable {
  /// The longest answer that is taken, in bytes: eight introductions.
  private static let answerBytes = 1 << 20
  private static let answerTime = Duration.seconds(20)

  /// The code of the language that it is asked in.
  public var language: String { address.language }

  private let transport: Transport
  private let address: WikipediaAddress

  /// Makes a client.
  /// - Parameters:
  ///   - transport: where requests go. A status or an answer that is an error becomes one here, if it isn't yet.
  ///   - address: where Wikipedia is.
  public init(transport: Transport, address: WikipediaAddress) {
    self.transport = transport.checkingStatus().checkingWikiErrors()
    self.address = address
  }

  /// Asks for the pages that may be about an album.
  /// - Returns: the answer's bytes, which ``WikipediaAnswer`` was able to read. They are kept as they are.
  public func ask(about album: Album) async throws(UpstreamError) -> [UInt8] {
    let exchange = Exchange(
      source: .wikipedia,
      subject: "pages about “\(album.name.base)”",
      address: address.pages(about: album),
      byteLimit: Self.answerBytes,
      timeLimit: Self.answerTime
    )
    let reply = try await transport.send(exchange)
    do throws(WikipediaAnswer.Fault) {
      _ = try WikipediaAnswer(json: reply.body)
    } catch {
      throw .malformed(.wikipedia, at: "\(exchange.subject): \(error)")
    }
    return reply.body
  }
}
