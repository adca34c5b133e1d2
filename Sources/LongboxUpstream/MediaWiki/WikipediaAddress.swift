// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The address of Wikipedia, or of what replaces it.
///
/// ## Configuration keys
/// - `LONGBOX_WIKIPEDIA_LANGUAGE` (default `en`): the language code of the Wikipedia to ask.
/// - `LONGBOX_WIKIPEDIA_URL` (default `https://en.wikipedia.org/w/api.php`): its `api.php`, replacing the
///   language's own.
public struct WikipediaAddress: Hashable, Sendable {
  /// The address of `api.php`.
  public let api: WebAddress
  /// The language code, such as `en` or `pt-br`.
  public let language: String

  /// Parses the operator's settings; an address may be private or loopback.
  /// - Parameters:
  ///   - api: `LONGBOX_WIKIPEDIA_URL`, or nil for Wikipedia itself.
  ///   - language: `LONGBOX_WIKIPEDIA_LANGUAGE`, or nil for English.
  /// - Throws: ``SettingError/address(setting:value:)``.
  public init(api: String? = nil, language: String? = nil) throws(SettingError) {
    let language = language ?? "en"
    let isCode =
      (2...12).contains(language.utf8.count)
      && language.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-") }
    guard isCode, !language.hasPrefix("-"), !language.hasSuffix("-") else {
      throw .address(setting: "LONGBOX_WIKIPEDIA_LANGUAGE", value: language)
    }
    self.language = language
    if let api {
      self.api = try WebAddress(base: api, setting: "LONGBOX_WIKIPEDIA_URL")
    } else {
      let host = "\(language).wikipedia.org"
      self.api = WebAddress(origin: .init(scheme: .https, host: host, port: 443), target: "/w/api.php")
    }
  }

  /// The allowed hosts.
  public var origins: Set<WebAddress.Origin> { [api.origin] }

  func pages(about album: Album) -> WebAddress {
    // Quotes search for the whole name; a quote inside the name would end it.
    let name = album.name.base.description.replacing("\"", with: " ")
    let artist =
      album.kind == .compilation && album.artist == "Various Artists" ? "" : album.artist.description
    let kind =
      switch album.kind {
      case .single: "song"
      case .ep: "EP"
      case .album, .live, .compilation: "album"
      }
    let words = ["\"\(name)\"", artist.replacing("\"", with: " "), kind].filter { !$0.isEmpty }
    return api.asking([
      ("action", "query"), ("format", "json"), ("formatversion", "2"), ("generator", "search"),
      ("gsrsearch", String(words.joined(separator: " ").prefix(290))), ("gsrlimit", "8"),
      ("prop", "pageprops|description|info|extracts"), ("ppprop", "disambiguation"), ("inprop", "url"),
      ("exintro", "1"), ("explaintext", "1"), ("exlimit", "8"), ("redirects", "1"),
    ])
  }
}
