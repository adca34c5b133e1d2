// Longbox
// SPDX-License-Identifier: MIT

import Foundation
public import LongboxCore

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
    self.site =
      try site.map { text throws(SettingError) in
        try WebAddress(base: text, setting: "LONGBOX_ITUNES_URL")
      } ?? Self.standard.site
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
