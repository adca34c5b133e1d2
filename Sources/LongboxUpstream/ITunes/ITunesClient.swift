// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// Asks the iTunes Store for artists, albums and tracks, and its picture servers for covers.
///
/// The store allows about twenty calls a minute, and answers 403 with an empty body beyond that. One
/// ``SlidingWindowLimiter`` allows the client's callers fifteen a minute, and says how long a question
/// waits. While the store refuses to answer, the pauses grow; ``currentPause()`` says since when it does.
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
  /// The pause after the store has refused to answer for the first time.
  public static let pause = Duration.seconds(60)

  private let transport: Transport
  private let artwork: Transport
  private let addresses: ITunesAddresses
  private let limits: Limits
  private let expectedWait: @Sendable (WebAddress, _ behind: Int) async -> Duration
  private let pauseUnderWay: @Sendable () async -> SourcePause?

  /// Makes a client with request policies.
  /// - Parameters:
  ///   - transport: sends questions.
  ///   - artwork: sends requests for covers.
  ///   - artworkPace: limits the rate of requests for covers, or nil for no limit.
  ///   - addresses: where the store is.
  ///   - limiter: limits the rate of calls.
  ///   - limits: limits on size and time.
  ///   - observer: counts the requests by outcome.
  public init<Time: Clock>(
    transport: Transport,
    artwork: Transport,
    artworkPace: TokenBucket<Time>? = nil,
    addresses: ITunesAddresses = .standard,
    limiter: SlidingWindowLimiter<Time>,
    limits: Limits = Limits(),
    observer: RequestObserver? = nil
  ) {
    self.transport =
      transport
      .checkingStatus()
      .refusingNoJSON()
      .observingExchange(observer)
      .limited(by: limiter, pause: Self.pause)
      .observingQueue(observer)
      .coalescingRequests()
    let covers = artwork.checkingStatus().observingExchange(observer)
    // The bucket wraps it, so that it learns of the picture server's `Retry-After`.
    self.artwork = (artworkPace.map { covers.limited(by: $0) } ?? covers).observingQueue(observer)
    self.addresses = addresses
    self.limits = limits
    expectedWait = { address, others in await limiter.waitingTime(for: address, behind: others) }
    pauseUnderWay = { await limiter.currentPause }
  }

  /// Since when the store refuses to answer, and when it is asked again; nil if it may be asked now.
  public func currentPause() async -> SourcePause? {
    await pauseUnderWay()
  }

  /// How long a question waits before it is sent, whether it is in the queue already or not.
  /// - Parameters:
  ///   - question: the question.
  ///   - others: the number of questions that enter the queue before it, if it isn't there.
  public func wait(for question: ITunesQuestion, behind others: Int = 0) async -> Duration {
    await expectedWait(addresses.address(of: question), others)
  }

  /// Asks a question.
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
      reply = try await transport.send(exchange)
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
    return try await artwork.send(exchange).body
  }
}

extension Transport {
  /// Treats an empty reply or an HTML page in place of JSON as a rate limit: the store sends these, with status
  /// 200, for it.
  fileprivate func refusingNoJSON() -> Transport {
    let send = self.send
    return Transport { exchange throws(UpstreamError) in
      let reply = try await send(exchange)
      do throws(ITunesReply.Fault) {
        try ITunesReply.Fault.checkObject(reply.body)
      } catch {
        switch error {
        case .empty, .html: throw .rateLimited(exchange.source, retryAfter: nil)
        // The client says what is wrong with it.
        case .notAnObject, .noResults: break
        }
      }
      return reply
    }
  }
}
