// Longbox
// SPDX-License-Identifier: MIT

import Foundation
public import LongboxCore

/// Asks a Wikipedia for pages that may be about an album, and their introductions, in one call.
public struct WikipediaClient: Sendable {
  /// The longest reply in bytes: eight introductions.
  private static let byteLimit = 1 << 20
  private static let timeLimit = Duration.seconds(20)

  /// The codes of the languages whose Wikipedia can be asked, the operator's first.
  public var languages: [String] { address.languages }

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
  /// - Parameters:
  ///   - album: the album.
  ///   - language: one of ``languages``; another means the operator's.
  /// - Returns: the reply's bytes, verbatim; ``WikipediaReply`` can parse them.
  public func ask(about album: Album, in language: String) async throws(UpstreamError) -> [UInt8] {
    let exchange = Exchange(
      source: .wikipedia,
      subject: "pages about “\(album.name.base)”",
      address: address.pages(about: album, in: language),
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

/// The addresses of the Wikipedias, or of what replaces them.
///
/// ## Configuration keys
/// - `LONGBOX_WIKIPEDIA_LANGUAGE` (default `en`): the language code of the Wikipedia to ask unless a reader chooses another.
/// - `LONGBOX_WIKIPEDIA_URL` (default `https://{language}.wikipedia.org/w/api.php`): its `api.php`. Without `{language}`,
///   which stands for the code, there is one Wikipedia, and readers can't choose.
public struct WikipediaAddress: Hashable, Sendable {
  /// The address of `api.php` in the operator's language.
  public let api: WebAddress
  /// The language codes, such as `en` or `pt-br`, the operator's first.
  public let languages: [String]
  private let apis: [String: WebAddress]

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
    self.api = try Self.address(api, language)
    let others = ArticleChoice.languages.map(\.description).filter { $0 != language }
    languages = [language] + (api?.contains(Self.placeholder) == false ? [] : others)
    var apis: [String: WebAddress] = [:]
    for language in languages { apis[language] = try Self.address(api, language) }
    self.apis = apis
  }

  /// Stands for the language in `LONGBOX_WIKIPEDIA_URL`.
  private static let placeholder = "{language}"

  private static func address(_ api: String?, _ language: String) throws(SettingError) -> WebAddress {
    let host = "\(language).wikipedia.org"
    let own = WebAddress(origin: .init(scheme: .https, host: host, port: 443), target: "/w/api.php")
    let named = api?.replacing(placeholder, with: language)
    return try WebAddress(base: named, setting: "LONGBOX_WIKIPEDIA_URL", default: own)
  }

  public var origins: Set<WebAddress.Origin> { Set(apis.values.map(\.origin)) }

  func pages(about album: Album, in language: String) -> WebAddress {
    // Quotes search for the whole name; a quote inside the name would end it.
    let name = album.name.base.description.replacing("\"", with: " ")
    let artist =
      album.kind == .compilation && album.artist == "Various Artists" ? "" : album.artist.description
    let kind =
      switch album.kind {
      // Other languages have other words for a song; those for an album are alike.
      case .single: language == "en" ? "song" : ""
      case .ep: "EP"
      case .album, .live, .compilation: "album"
      }
    let words = ["\"\(name)\"", artist.replacing("\"", with: " "), kind].filter { !$0.isEmpty }
    return (apis[language] ?? api).asking([
      ("action", "query"), ("format", "json"), ("formatversion", "2"), ("generator", "search"),
      ("gsrsearch", String(words.joined(separator: " ").prefix(290))), ("gsrlimit", "8"),
      ("prop", "pageprops|description|info|extracts"), ("ppprop", "disambiguation"), ("inprop", "url"),
      ("exintro", "1"), ("explaintext", "1"), ("exlimit", "8"), ("redirects", "1"),
    ])
  }
}

/// Wikipedia's reply to a search, with each page's description and introduction.
public struct WikipediaReply: Equatable, Sendable {
  /// Why bytes are not a reply.
  public enum Fault: Error, Equatable, Sendable {
    /// They are not a JSON object, or lack required fields.
    case unreadable
  }

  /// The longest introduction in bytes; longer ones are cut after a paragraph or sentence.
  private static let longestExtract = 6_000

  /// The pages, best match first.
  public let pages: [ArticleCandidate]

  /// Parses a reply; one without pages means that nothing was found.
  public init(json: [UInt8]) throws(Fault) {
    guard json.first(where: { $0 > 0x20 }) == UInt8(ascii: "{"),
      let body = try? JSONDecoder().decode(Body.self, from: Data(json)),
      body.query != nil || body.batchcomplete != nil
    else { throw .unreadable }
    let pages = (body.query?.pages ?? []).sorted { ($0.index ?? .max) < ($1.index ?? .max) }
    self.pages = pages.compactMap { page in
      guard let id = page.pageid, page.missing != true else { return nil }
      return ArticleCandidate(
        id: id,
        title: Text(string: page.title),
        summary: Text(string: page.description ?? ""),
        extract: Text(string: Self.cut(page.extract ?? "")),
        isDisambiguation: page.pageprops?.disambiguation != nil,
        revision: page.lastrevid ?? 0,
        address: Self.address(page.fullurl ?? "")
      )
    }
  }

  private static func cut(_ text: String) -> String {
    let whole = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard whole.utf8.count > longestExtract else { return whole }
    let part = String(decoding: whole.utf8.prefix(longestExtract), as: UTF8.self)
    if let paragraph = part.range(of: "\n", options: .backwards) {
      return String(part[..<paragraph.lowerBound])
    }
    if let sentence = part.range(of: ". ", options: .backwards) { return part[..<sentence.lowerBound] + "." }
    return part + "…"
  }

  /// Readers follow this link, so it must lead to a Wikipedia.
  private static func address(_ text: String) -> Text {
    guard let address = WebAddress(text), address.origin.scheme == .https,
      address.origin.host.hasSuffix(".wikipedia.org")
    else { return .empty }
    return Text(string: address.description)
  }

  private struct Body: Decodable {
    struct Query: Decodable {
      let pages: [Page]
    }

    struct Page: Decodable {
      struct Properties: Decodable {
        let disambiguation: String?
      }

      let pageid: Int?
      let title: String
      let index: Int?
      let missing: Bool?
      let description: String?
      let extract: String?
      let pageprops: Properties?
      let lastrevid: Int?
      let fullurl: String?
    }

    let batchcomplete: Bool?
    let query: Query?
  }
}

extension WikipediaReply.Fault: CustomStringConvertible {
  /// The fault, as the end of a sentence.
  public var description: String { "it is not an answer of MediaWiki’s" }
}
