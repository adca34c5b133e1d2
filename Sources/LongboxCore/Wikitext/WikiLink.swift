// Longbox
// SPDX-License-Identifier: MIT

/// Resolves wiki links.
enum WikiLink {
  enum Target: Equatable {
    case comic(Int)
    case address([UInt8])
    /// The name of an anchor on the same page.
    case anchor([UInt8])
    /// An address of an unsupported kind.
    case nowhere
  }

  /// The link as `[[target|text]]` on one line; empty for categories and pictures (see ``caption(_:bars:)``).
  static func rewritten(_ bytes: [UInt8], bars: [Int]) -> [UInt8] {
    if category(bytes, bars: bars) != nil { return [] }
    let target = bytes[..<(bars.first ?? bytes.count)].trimmed()
    if let namespace = namespace(of: target), !namespace.isEmpty {
      if ("file" as StaticString).isEqual(to: namespace) || ("image" as StaticString).isEqual(to: namespace),
        target.first != UInt8(ascii: ":")
      {
        return picture(target, options: bytes, bars: bars)
      }
      if ("http" as StaticString).isEqual(to: namespace) || ("https" as StaticString).isEqual(to: namespace) {
        // A link in brackets, as in MediaWiki.
        return literal("[") + [UInt8(ascii: "[")] + bytes.filter { $0 != 0x0A } + [UInt8(ascii: "]")]
          + literal("]")
      }
    }
    // Brackets in the text would end the link early.
    let first = bars.first.map { bytes[($0 + 1)...] }.map { $0.trimmed().isEmpty ? [] : $0 }
    let text = (first ?? target).map { $0 == 0x0A ? 0x20 : $0 }
    let inner = target.drop { $0 == UInt8(ascii: ":") }
    let shown = first == nil ? Array(inner) : text
    guard isTitle(inner) else { return literal("[[") + bytes + literal("]]") }
    let open = ("[[" as StaticString).utf8Bytes + inner + [UInt8(ascii: "|")]
    return open + (shown.isEmpty ? Array(inner) : shown) + ("]]" as StaticString).utf8Bytes
  }

  /// The name of the category into which a link puts its page; nil for other links.
  static func category(_ bytes: [UInt8], bars: [Int]) -> [UInt8]? {
    let target = bytes[..<(bars.first ?? bytes.count)].trimmed()
    guard let namespace = namespace(of: target), ("category" as StaticString).isEqual(to: namespace) else {
      return nil
    }
    return target.firstIndex(of: UInt8(ascii: ":")).map { Array(target[($0 + 1)...]) }
  }

  private static func namespace(of target: ArraySlice<UInt8>) -> [UInt8]? {
    target.prefix(12).firstIndex(of: UInt8(ascii: ":")).map { colon in
      target[..<colon].trimmed().map { $0.lowercasedASCII }
    }
  }

  /// The caption of a picture beside the text; nil for other links, and for inline pictures, whose caption
  /// repeats the text.
  static func caption(_ bytes: [UInt8], bars: [Int]) -> ArraySlice<UInt8>? {
    let head = bytes.prefix(6).map { $0.lowercasedASCII }
    guard
      head.starts(with: ("file:" as StaticString).utf8Bytes) || ("image:" as StaticString).isEqual(to: head),
      let last = bars.last, bars.count > 1
    else { return nil }
    let isFramed = bars.indices.dropLast().contains { index in
      let option = bytes[(bars[index] + 1)..<bars[index + 1]].trimmed()
      return (["thumb", "frame", "thumbnail"] as [StaticString]).contains { $0.isEqual(to: option) }
    }
    let caption = bytes[(last + 1)...].trimmed()
    return isFramed && !isOption(caption) ? caption : nil
  }

  /// A picture, as a link to its page on the wiki with its alternative text or its name.
  static func picture(_ target: ArraySlice<UInt8>, options: [UInt8] = [], bars: [Int] = []) -> [UInt8] {
    let name = target[(target.firstIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? target.startIndex)...]
      .trimmed()
    guard !name.isEmpty, isTitle(name) else { return [] }
    var text = name
    for (index, bar) in bars.enumerated() {
      let option = options[(bar + 1)..<(index + 1 < bars.count ? bars[index + 1] : options.count)].trimmed()
      if option.starts(with: ("alt=" as StaticString).utf8Bytes), option.count > 4 {
        text = option.dropFirst(4)
      }
    }
    let file = pictureStart.utf8Bytes + encoded(name)
    let label =
      pictureMark.utf8Bytes + text.filter { $0 != UInt8(ascii: "]") && $0 != 0x0A }
    return literal("[") + [UInt8(ascii: "[")] + file + [0x20] + label + [UInt8(ascii: "]")] + literal("]")
  }

  /// The start of the addresses of explain xkcd's pages.
  static let pages: StaticString = "https://www.explainxkcd.com/wiki/index.php/"
  private static let pictureStart: StaticString = "https://www.explainxkcd.com/wiki/index.php/File:"
  private static let pictureMark: StaticString = "picture: "

  /// Whether an address is that of a picture's page on the wiki.
  static func isPicture(_ address: Text) -> Bool { address.bytes.starts(with: pictureStart.utf8Bytes) }

  /// Whether the text of a link to a picture is the name of its file, and no description of it.
  static func isFileName(_ text: Text) -> Bool {
    let bytes = text.bytes.trimmed()
    guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")) else { return false }
    let ending = bytes[(dot + 1)...]
    return (3...4).contains(ending.count) && ending.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
  }

  /// The description in the text of a link to a picture, as ``picture(_:options:bars:)`` writes it.
  static func description(ofPicture text: Text) -> ArraySlice<UInt8> {
    let mark = pictureMark.utf8Bytes
    return text.bytes.starts(with: mark) ? text.bytes.dropFirst(mark.count) : text.bytes
  }

  private static func isOption(_ text: ArraySlice<UInt8>) -> Bool {
    let words: [StaticString] = [
      "thumb", "thumbnail", "frame", "frameless", "border", "left", "right", "center", "none", "upright",
    ]
    return text.isEmpty || words.contains { $0.isEqual(to: text) }
      || text.suffix(2).elementsEqual(("px" as StaticString).utf8Bytes) && text.first?.isASCIIDigit ?? false
      || (["alt=", "link=", "class=", "page=", "upright="] as [StaticString]).contains {
        text.starts(with: $0.utf8Bytes)
      }
  }

  /// Whether a text can be a page's name.
  private static func isTitle(_ text: ArraySlice<UInt8>) -> Bool {
    !text.isEmpty
      && !text.contains {
        switch $0 {
        case 0x0A, UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"): true
        default: false
        }
      }
  }

  /// Brackets or braces that are text.
  static func literal(_ text: StaticString) -> [UInt8] {
    text.utf8Bytes.flatMap { [WikiMarker.literal, $0] }
  }

  /// The target of `[[...]]` on the page of a comic; a link to that page itself leads to its section, or nowhere.
  static func target(_ target: ArraySlice<UInt8>, onPageOf own: Int?) -> Target {
    var page = decoded(target.filter { $0 != WikiMarker.removedTag }[...])[...].trimmed()
    while page.first == UInt8(ascii: ":") { page = page.dropFirst().trimmed() }
    if page.first == UInt8(ascii: "#") { return .anchor(Array(page.dropFirst())) }
    if page.isEmpty { return .nowhere }
    if let number = comic(page) {
      guard number == own else { return .comic(number) }
      return page.firstIndex(of: UInt8(ascii: "#")).map { .anchor(Array(page[($0 + 1)...])) } ?? .nowhere
    }
    if let colon = page.prefix(16).firstIndex(of: UInt8(ascii: ":")) {
      let prefix = page[..<colon].map { $0.lowercasedASCII }
      for wiki in wikis where wiki.prefix.isEqual(to: prefix) {
        let name = page[(colon + 1)...].drop { $0 == UInt8(ascii: ":") || $0 == 0x20 }
        let hasNamespace =
          ("tvtropes" as StaticString).isEqual(to: prefix) && name.contains(UInt8(ascii: "/"))
        let start = hasNamespace ? "https://tvtropes.org/pmwiki/pmwiki.php/" : wiki.start
        return address(start.utf8Bytes + encoded(name))
      }
    }
    return address(pages.utf8Bytes + encoded(page))
  }

  /// The target of `[...]`: the wiki's page about a comic becomes a link to the comic.
  static func external(_ raw: ArraySlice<UInt8>) -> Target {
    var bytes = Array(raw)
    if bytes.starts(with: ("//" as StaticString).utf8Bytes) {
      bytes = ("https:" as StaticString).utf8Bytes + bytes
    }
    var rest = bytes[...]
    for start in ["http://", "https://", "www.", "explainxkcd.com/"] as [StaticString] {
      let isOptional = start.utf8CodeUnitCount < 10
      if rest.starts(with: start.utf8Bytes) {
        rest = rest.dropFirst(start.utf8CodeUnitCount)
      } else if !isOptional {
        return address(bytes)
      }
    }
    for start in ["wiki/index.php/", "wiki/index.php?title=", ""] as [StaticString] {
      guard rest.starts(with: start.utf8Bytes) else { continue }
      // An address with an anchor or a query, or of another page of the wiki, stays unchanged.
      let page = rest.dropFirst(start.utf8CodeUnitCount)
      guard
        !page.contains(where: {
          $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "/")
        })
      else { continue }
      if let number = comic(page) { return .comic(number) }
    }
    return address(bytes)
  }

  /// The number of the comic that a page is about: `353`, `353: Python`, `353#Trivia`; not `353 (number)`, and not a
  /// subpage.
  private static func comic(_ page: ArraySlice<UInt8>) -> Int? {
    let digits = page.prefix { $0.isASCIIDigit }
    guard !digits.isEmpty, let number = Text(digits).number, number >= 1, number <= Comic.Number.greatestValue
    else {
      return nil
    }
    switch page.dropFirst(digits.count).first {
    case nil, UInt8(ascii: ":"), UInt8(ascii: "#"): return isSubpage(page) ? nil : number
    default: return nil
    }
  }

  /// Whether an address is that of a part of a comic's page on the wiki.
  static func isSubpage(_ address: Text) -> Bool {
    let start = pages.utf8Bytes
    let page = address.bytes.dropFirst(start.count)
    return address.bytes.starts(with: start) && page.first?.isASCIIDigit ?? false && isSubpage(page)
  }

  /// Whether a comic's page is a part of another: `1190: Time/Transcript`.
  ///
  /// Slashes of titles differ: there are two (`s/keyboard/leopard/`), or one after a digit (`6/6 Time`).
  private static func isSubpage(_ page: ArraySlice<UInt8>) -> Bool {
    let parts = page.prefix { $0 != UInt8(ascii: "#") }.split(
      separator: UInt8(ascii: "/"),
      omittingEmptySubsequences: false
    )
    guard parts.count == 2, let last = parts[0].last, let first = parts[1].first else { return false }
    return !last.isASCIIDigit && (first.isASCIIDigit || (0x41...0x5A).contains(first))
  }

  /// The text with its entities decoded.
  static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard text.contains(UInt8(ascii: "&")) else { return Array(text) }
    var bytes: [UInt8] = []
    var index = text.startIndex
    while index < text.endIndex {
      if let (entity, end) = Entity.decode(text, at: index) {
        bytes += entity
        index = end
      } else {
        bytes.append(text[index])
        index += 1
      }
    }
    return bytes
  }

  private static func address(_ bytes: [UInt8]) -> Target {
    WikiCode.isAddress(bytes[...]) ? .address(bytes) : .nowhere
  }

  /// Percent-encodes a page's name.
  static func encoded(_ name: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    for (offset, byte) in name.trimmed().enumerated() {
      switch byte {
      case 0x20: bytes.append(UInt8(ascii: "_"))
      case _ where byte.isASCIILetter || byte.isASCIIDigit || isPlain(byte): bytes.append(byte)
      case UInt8(ascii: "%") where isEscape(name.trimmed(), offset): bytes.append(byte)
      default: bytes.appendPercentEncoded(byte)
      }
    }
    return bytes
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    ("-._~:/!$()*,;@#+=" as StaticString).utf8Bytes.contains(byte)
  }

  private static func isEscape(_ name: ArraySlice<UInt8>, _ offset: Int) -> Bool {
    let digits = name.dropFirst(offset + 1).prefix(2)
    return digits.count == 2 && digits.allSatisfy { $0.isASCIIDigit || (0x61...0x66).contains($0 | 0x20) }
  }

  private static let wikis: [(prefix: StaticString, start: StaticString)] = [
    ("w", "https://en.wikipedia.org/wiki/"), ("wikipedia", "https://en.wikipedia.org/wiki/"),
    ("wikt", "https://en.wiktionary.org/wiki/"), ("wiktionary", "https://en.wiktionary.org/wiki/"),
    ("tvtropes", "https://tvtropes.org/pmwiki/pmwiki.php/Main/"), ("rw", "https://rationalwiki.org/wiki/"),
    ("wikia", "https://community.fandom.com/wiki/"), ("commons", "https://commons.wikimedia.org/wiki/"),
    ("mw", "https://www.mediawiki.org/wiki/"), ("mediawikiwiki", "https://www.mediawiki.org/wiki/"),
    ("wikisource", "https://en.wikisource.org/wiki/"), ("wikiquote", "https://en.wikiquote.org/wiki/"),
    ("meta", "https://meta.wikimedia.org/wiki/"),
  ]
}
