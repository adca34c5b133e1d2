// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// Asks the iTunes Store for artists, albums and tracks, and its picture servers for covers.
///
/// The store bears about twenty calls a minute, and says so with 403 and an empty body. So there is one ``CallWindow`` for all
/// who ask through one client, which lets fifteen through a minute, and a reader can be told how long a question waits.
public struct ITunesClient: Sendable {
  /// How much is taken, and how long it may take.
  public struct Limits: Equatable, Sendable {
    /// The longest answer in bytes; 200 rows have about 300,000.
    public var answerBytes = 4 << 20
    /// The longest cover in bytes; at 600 pixels most have 100,000.
    public var artworkBytes = 4 << 20
    /// The most pixels of a cover.
    public var artworkPixels = 4_000_000
    /// The time for an answer.
    public var answerTime = Duration.seconds(20)
    /// The time for a cover.
    public var artworkTime = Duration.seconds(20)

    /// The limits in force unless a test says otherwise.
    public init() {}
  }

  /// How many calls go out in any minute.
  public static let callsPerMinute = 15
  /// How long the store is left alone after it has asked for patience.
  public static let pause = Duration.seconds(60)

  private let transport: Transport
  private let artwork: Transport
  private let addresses: ITunesAddresses
  private let limits: Limits
  private let expectedWait: @Sendable (WebAddress) async -> Duration

  /// Makes a client with manners.
  /// - Parameters:
  ///   - transport: where questions go.
  ///   - artwork: where requests for covers go.
  ///   - artworkPace: how fast covers may be asked for, or nothing for as fast as readers like.
  ///   - addresses: where the store is.
  ///   - window: lets the calls through.
  ///   - limits: how much is taken.
  public init<Time: Clock>(
    transport: Transport,
    artwork: Transport,
    artworkPace: TokenBucket<Time>? = nil,
    addresses: ITunesAddresses = .standard,
    window: CallWindow<Time>,
    limits: Limits = Limits()
  ) {
    self.transport =
      transport
      .checkingStatus()
      .limited(to: window, pause: Self.pause)
      .joiningEqualRequests()
    let covers = artwork.checkingStatus()
    // Within the bucket, so that it learns of the pause that the picture server asks for.
    self.artwork = artworkPace.map { covers.limited(by: $0) } ?? covers
    self.addresses = addresses
    self.limits = limits
    expectedWait = { address in await window.wait(for: address) }
  }

  /// How long a question waits before it is asked: the one in line, or one that would be asked now.
  public func wait(for question: ITunesQuestion) async -> Duration {
    await expectedWait(addresses.address(of: question))
  }

  /// Asks a question.
  /// - Returns: the answer's bytes, which ``ITunesAnswer`` was able to read. They are kept as they are.
  /// - Throws: ``UpstreamError``; never is an empty answer, or one that says "too many", taken for an answer.
  public func ask(_ question: ITunesQuestion) async throws(UpstreamError) -> [UInt8] {
    let exchange = Exchange(
      source: .itunes,
      subject: question.name,
      address: addresses.address(of: question),
      byteLimit: limits.answerBytes,
      timeLimit: limits.answerTime
    )
    let reply: Reply
    do throws(UpstreamError) {
      reply = try await transport.send(exchange)
    } catch .unexpectedStatus(_, _, 400) {
      throw .notFound(.itunes, subject: "shop in the country “\(question.country.text)”, or can’t look there")
    } catch {
      throw error
    }
    do throws(ITunesAnswer.Fault) {
      _ = try ITunesAnswer(json: reply.body)
    } catch {
      throw .malformed(.itunes, at: "\(question.name): \(error)")
    }
    return reply.body
  }

  /// A cover in the size that is wanted, or in that of the address where there is no other.
  ///
  /// What comes is kept, so a passing failure is no reason to take the small one.
  /// - Parameters:
  ///   - address: ``Album/artworkAddress``.
  ///   - side: the size in pixels.
  public func artwork(at address: Text, side: Int) async throws(UpstreamError) -> Artwork {
    guard let small = addresses.artwork(at: address, side: nil) else {
      throw .refused(.artwork, .address(String(address.description.prefix(200))))
    }
    guard let large = addresses.artwork(at: address, side: side) else { return try await artwork(at: small) }
    do throws(UpstreamError) {
      return try await artwork(at: large)
    } catch {
      switch error {
      case .notFound, .unexpectedStatus: return try await artwork(at: small)
      default: throw error
      }
    }
  }

  private func artwork(at address: WebAddress) async throws(UpstreamError) -> Artwork {
    let exchange = Exchange(
      source: .artwork,
      subject: "cover",
      address: address,
      byteLimit: limits.artworkBytes,
      timeLimit: limits.artworkTime
    )
    let reply = try await artwork.send(exchange)
    let picture: Artwork
    do throws(PictureFault) {
      picture = try Artwork(verifying: reply.body)
    } catch {
      throw .malformed(.artwork, at: "cover: \(error)")
    }
    guard picture.outline.width <= limits.artworkPixels / picture.outline.height else {
      throw .refused(.artwork, .pixels(limit: limits.artworkPixels))
    }
    return picture
  }
}
