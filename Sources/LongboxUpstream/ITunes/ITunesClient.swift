// Longbox
// SPDX-License-Identifier: MIT

import Foundation
public import LongboxCore

/// Asks the iTunes Store for artists, albums and tracks, and its picture servers for covers.
///
/// The store allows about twenty calls a minute, and answers 403 with an empty body beyond that. One
/// ``RequestLimiter`` allows the client's callers fifteen a minute, and says how long a question
/// waits. While the store refuses to answer, the pauses grow; ``currentPause()`` says since when it does.
///
/// A question that fails is not sent again.
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

public struct ITunesQuestion: Hashable, Sendable {
  /// The kinds of questions.
  public enum Subject: Hashable, Sendable {
    /// A search for artists by name.
    case artists(String)
    /// An artist's albums.
    case albums(of: StoreID)
    /// An album with its tracks.
    case tracks(of: StoreID)
  }

  /// What is asked.
  public var subject: Subject
  public var country: StoreCountry

  /// The longest search term in bytes; with its prefix, ``key`` stays within the database's limit.
  private static let longestTerm = 380

  /// Makes a question for an artist's albums or an album's tracks.
  public init(_ subject: Subject, in country: StoreCountry) {
    self.subject = subject
    self.country = country
  }

  /// A name in the one spelling in which it is a key: letters composed with their accents (NFC), `'` for each
  /// kind of apostrophe, single spaces.
  ///
  /// A phone writes `Destiny’s` where a computer has `Destiny's`; macOS decomposes the letters of a file's name.
  public static func spelling(of name: String) -> String {
    let letters = name.precomposedStringWithCanonicalMapping.unicodeScalars
    let plain = String(String.UnicodeScalarView(letters.map { apostrophes.contains($0) ? "'" : $0 }))
    return plain.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Quotation marks, primes, accents and letters that are typed for an apostrophe.
  private static let apostrophes: Set<Unicode.Scalar> = [
    "\u{60}", "\u{B4}", "\u{2B9}", "\u{2BB}", "\u{2BC}", "\u{2018}", "\u{2019}", "\u{201B}", "\u{2032}",
    "\u{FF07}",
  ]

  /// Makes a search for artists; case, extra spaces and different spellings of one name are ignored.
  /// - Returns: nil if there is no word, or far too many.
  public init?(artistsNamed term: String, in country: StoreCountry) {
    let words = Self.spelling(of: term.lowercased())
    guard !words.isEmpty, words.utf8.count <= Self.longestTerm else { return nil }
    self.init(.artists(words), in: country)
  }

  /// A key for storing the reply: `artists/us/sault`, `albums/gb/414425`, `tracks/gb/1038991417`.
  public var key: String {
    switch subject {
    case .artists(let term): "artists/\(country.text)/\(term)"
    case .albums(let artist): "albums/\(country.text)/\(artist.text)"
    case .tracks(let album): "tracks/\(country.text)/\(album.text)"
    }
  }

  var name: String {
    switch subject {
    case .artists(let term): "artists named “\(term)”"
    case .albums(let artist): "albums of the artist \(artist.text)"
    case .tracks(let album): "tracks of the album \(album.text)"
    }
  }
}

/// The addresses of the iTunes Store and its picture servers, or of what replaces them.
///
/// ## Configuration keys
/// - `LONGBOX_ITUNES_URL` (default `https://itunes.apple.com`): `{url}/search` and `{url}/lookup`.
/// - `LONGBOX_ARTWORK_URL` (default none): replaces scheme and host in the addresses of covers.
public struct ITunesAddresses: Hashable, Sendable {
  /// The address before `/search` and `/lookup`.
  public let site: WebAddress
  /// The replacement of the picture servers, or nil.
  public let artwork: WebAddress?

  static let mostRows = 200

  /// The store itself.
  public static var standard: ITunesAddresses {
    let site = WebAddress(origin: .init(scheme: .https, host: "itunes.apple.com", port: 443), target: "/")
    return ITunesAddresses(site: site, artwork: nil)
  }

  private init(site: WebAddress, artwork: WebAddress?) {
    self.site = site
    self.artwork = artwork
  }

  /// Parses the operator's addresses, which may be private or loopback.
  /// - Parameters:
  ///   - site: `LONGBOX_ITUNES_URL`, or nil for the store itself.
  ///   - artwork: `LONGBOX_ARTWORK_URL`, or nil for the store's own picture servers.
  /// - Throws: ``SettingError/address(setting:value:)``.
  public init(site: String?, artwork: String?) throws(SettingError) {
    self.site = try WebAddress(base: site, setting: "LONGBOX_ITUNES_URL", default: Self.standard.site)
    self.artwork = try artwork.map { text throws(SettingError) in
      try WebAddress(base: text, setting: "LONGBOX_ARTWORK_URL")
    }
  }

  /// The hosts that questions may be sent to.
  public var origins: Set<WebAddress.Origin> { Source.itunes.ownOrigins.union([site.origin]) }

  /// The hosts that covers may be fetched from.
  public var artworkOrigins: Set<WebAddress.Origin> {
    Source.artwork.ownOrigins.union(artwork.map { [$0.origin] } ?? [])
  }

  /// The address of a question; it never has a `callback`, which would make the reply a script.
  func address(of question: ITunesQuestion) -> WebAddress {
    let country = ("country", question.country.text.description)
    let limit = ("limit", "\(Self.mostRows)")
    switch question.subject {
    case .artists(let term):
      return site.appending("search").asking([
        ("term", term), country, ("media", "music"), ("entity", "musicArtist"), ("limit", "25"),
      ])
    case .albums(let artist):
      return site.appending("lookup").asking([
        ("id", artist.text.description), country, ("entity", "album"), limit,
      ])
    case .tracks(let album):
      return site.appending("lookup").asking([
        ("id", album.text.description), country, ("entity", "song"), limit,
      ])
    }
  }

  /// The address of a cover at a size.
  ///
  /// Only the store's picture servers are accepted. Plain http in old replies becomes https. The end of the
  /// address is the size: `100x100bb.jpg`.
  /// - Parameters:
  ///   - given: `artworkUrl100` of a row.
  ///   - side: the size in pixels, or nil for the address's own.
  /// - Returns: nil if it is not a cover's address.
  public func artwork(at given: Text, side: Int?) -> WebAddress? {
    guard var address = WebAddress(given.description), !address.target.contains("?"),
      !address.target.contains("..")
    else { return nil }
    address.origin = .init(scheme: .https, host: address.origin.host, port: 443)
    guard Source.artwork.ownOrigins.contains(address.origin) else { return nil }
    if let side {
      guard let mark = address.target.range(of: "/100x100", options: .backwards) else { return nil }
      address.target.replaceSubrange(mark, with: "/\(side)x\(side)")
    }
    guard let artwork else { return address }
    return artwork.appending(String(address.target.dropFirst()))
  }
}
