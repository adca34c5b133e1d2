// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// Asks the iTunes Store for artists, albums and tracks, and its picture servers for covers.
///
/// The store allows about twenty calls a minute, and answers 403 with an empty body beyond that. One
/// ``RequestLimiter`` allows the client's callers fifteen a minute, and says how long a question
/// waits. While the store refuses to answer, the pauses grow; ``currentPause()`` says since when it does.
///
/// Questions that fail are not sent again, because stored replies serve most of them.
public struct ITunesClient: Sendable {
  /// Limits on size and time.
  public struct Limits: Equatable, Sendable {
    /// The longest reply in bytes; 200 rows have about 300,000.
    public var byteLimit = 4 << 20
    /// The longest cover in bytes; at 600 pixels most have 100,000.
    public var artworkByteLimit = 4 << 20
    /// The time limit for a reply.
    public var timeLimit = Duration.seconds(20)
    /// The time limit for a cover.
    public var artworkTimeLimit = Duration.seconds(20)

    /// Makes the default limits.
    public init() {}
  }

  /// The most calls in any minute.
  public static let callsPerMinute = 15

  private let store: SourceClient
  private let pictureServers: SourceClient
  private let addresses: ITunesAddresses
  private let limiter: RequestLimiter
  private let limits: Limits

  /// Makes a client with a policy.
  /// - Parameters:
  ///   - transport: sends questions.
  ///   - artwork: sends requests for covers.
  ///   - artworkPace: limits the rate of requests for covers, or nil for no limit.
  ///   - addresses: where the store is.
  ///   - limiter: limits the rate of calls.
  ///   - limits: limits on size and time.
  ///   - observer: counts the requests by outcome.
  public init(
    transport: Transport,
    artwork: Transport,
    artworkPace: RequestLimiter? = nil,
    addresses: ITunesAddresses = .standard,
    limiter: RequestLimiter,
    limits: Limits = Limits(),
    observer: RequestObserver? = nil
  ) {
    store = SourceClient(
      over: transport,
      joining: .init(abandonedWork: .isCancelled),
      limiter: limiter,
      observer: observer
    )
    pictureServers = SourceClient(over: artwork, limiter: artworkPace, observer: observer)
    self.addresses = addresses
    self.limiter = limiter
    self.limits = limits
  }

  /// Since when the store refuses to answer, and when it is asked again; nil if it may be asked now.
  public func currentPause() async -> SourcePause? {
    await limiter.currentPause
  }

  /// How long a question waits before it is sent, whether it is in the queue already or not.
  /// - Parameters:
  ///   - question: the question.
  ///   - others: the number of questions that enter the queue before it, if it isn't there.
  public func wait(for question: ITunesQuestion, behind others: Int = 0) async -> Duration {
    await limiter.waitingTime(for: addresses.address(of: question), behind: others)
  }

  /// Asks a question; questions are answered in the order in which they come.
  /// - Returns: the reply's bytes, verbatim; ``ITunesReply`` can parse them.
  /// - Throws: ``UpstreamError``; also for an empty reply or a rate limit.
  public func ask(_ question: ITunesQuestion) async throws(UpstreamError) -> [UInt8] {
    let exchange = Exchange(
      source: .itunes,
      subject: question.name,
      address: addresses.address(of: question),
      byteLimit: limits.byteLimit,
      timeLimit: limits.timeLimit
    )
    let reply: Reply
    do throws(UpstreamError) {
      reply = try await store.send(exchange)
    } catch .unexpectedStatus(_, _, 400) {
      throw .notFound(
        .itunes,
        subject: "store in the country “\(question.country.text)” that Longbox can search"
      )
    } catch {
      throw error
    }
    do throws(ITunesReply.Fault) {
      _ = try ITunesReply(json: reply.body)
    } catch {
      throw .malformed(.itunes, at: "\(question.name): \(error)")
    }
    return reply.body
  }

  /// The bytes of what should be a cover at a size, or at the address's own size if there is no other.
  ///
  /// Covers are stored, so a temporary failure does not fall back to the small one.
  /// - Parameters:
  ///   - address: ``Album/artworkAddress``.
  ///   - side: the size in pixels.
  public func artwork(at address: Text, side: Int) async throws(UpstreamError) -> [UInt8] {
    guard let small = addresses.artwork(at: address, side: nil) else {
      throw .rejected(.artwork, .address(String(address.description.prefix(200))))
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

  private func artwork(at address: WebAddress) async throws(UpstreamError) -> [UInt8] {
    let exchange = Exchange(
      source: .artwork,
      subject: "cover",
      address: address,
      byteLimit: limits.artworkByteLimit,
      timeLimit: limits.artworkTimeLimit
    )
    return try await pictureServers.send(exchange).body
  }
}
