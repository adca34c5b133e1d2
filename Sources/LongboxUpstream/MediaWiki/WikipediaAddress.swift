// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// Where Wikipedia, or what stands in for it, is found.
///
/// ## Configuration keys
/// - `LONGBOX_WIKIPEDIA_LANGUAGE` (default `en`): whose Wikipedia is asked, by its code.
/// - `LONGBOX_WIKIPEDIA_URL` (default `https://en.wikipedia.org/w/api.php`): its `api.php`, in place of the language's own.
public struct WikipediaAddress: Hashable, Sendable {
  /// The address of `api.php`.
  public let api: WebAddress
  /// The code of the language, such as `en` or `pt-br`.
  public let language: String

  /// Takes settings from the operator; an address may be private or loopback.
  /// - Parameters:
  ///   - api: `LONGBOX_WIKIPEDIA_URL`, or nothing for Wikipedia itself.
  ///   - language: `LONGBOX_WIKIPEDIA_LANGUAGE`, or nothing for English.
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

  /// The hosts that may be asked.
  public var origins: Set<WebAddress.Origin> { [api.origin] }

  /// The question for the pages that may be about an album.
  func pages(about album: Album) -> WebAddress {
    // Quotes keep the words of the name together; one within the name would end them.
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
