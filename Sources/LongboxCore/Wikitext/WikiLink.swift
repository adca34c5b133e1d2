// Longbox
// SPDX-License-Identifier: MIT

/// Resolves wiki links.
enum WikiLink {
  enum Target: Equatable {
    case comic(Int)
    case address([UInt8])
    /// An anchor on the same page, or an address of an unsupported kind.
    case nowhere
  }

  /// The link as `[[target|text]]` on one line; empty for categories and pictures (see ``caption(_:bars:)``).
  static func rewritten(_ bytes: [UInt8], bars: [Int]) -> [UInt8] {
    let target = bytes[..<(bars.first ?? bytes.count)].trimmed()
    let namespace = target.prefix(12).firstIndex(of: UInt8(ascii: ":")).map { colon in
      target[..<colon].trimmed().map { $0.lowercasedASCII }
    }
    if let namespace, !namespace.isEmpty {
      if ("category" as StaticString).isEqual(to: namespace) { return [] }
      if ("file" as StaticString).isEqual(to: namespace) || ("image" as StaticString).isEqual(to: namespace) {
        return []
      }
      if ("http" as StaticString).isEqual(to: namespace) || ("https" as StaticString).isEqual(to: namespace) {
        return [UInt8(ascii: "[")] + bytes.filter { $0 != 0x0A } + [UInt8(ascii: "]")]
      }
    }
    // Brackets in the text would end the link early.
    let first = bars.first.map { bytes[($0 + 1)...].trimmed() }
    let text = (first ?? target).map { $0 == 0x0A ? 0x20 : $0 }
    let inner = target.drop { $0 == UInt8(ascii: ":") }
    let shown = first == nil ? Array(inner) : text
    guard !inner.isEmpty, !inner.contains(0x0A), !inner.contains(UInt8(ascii: "[")) else { return shown }
    let open = ("[[" as StaticString).utf8Bytes + inner + [UInt8(ascii: "|")]
    return open + (shown.isEmpty ? Array(inner) : shown) + ("]]" as StaticString).utf8Bytes
  }

  /// The caption of a picture beside the text; nil for other links, and for inline pictures, whose caption
  /// repeats the text.
  static func caption(_ bytes: [UInt8], bars: [Int]) -> ArraySlice<UInt8>? {
    let head = bytes.prefix(6).map { $0.lowercasedASCII }
    guard
      head.starts(with: ("file:" as StaticString).utf8Bytes) || ("image:" as StaticString).isEqual(to: head),
      let last = bars.last, bars.count > 1
    else { return nil }
    let isFramed = bars.indices.dropLast().contains { place in
      let option = bytes[(bars[place] + 1)..<bars[place + 1]].trimmed()
      return (["thumb", "frame", "thumbnail"] as [StaticString]).contains { $0.isEqual(to: option) }
    }
    let caption = bytes[(last + 1)...].trimmed()
    // A single word in the caption's position is a display option.
    return isFramed && caption.contains(0x20) ? caption : nil
  }

  /// The target of `[[...]]`.
  static func target(_ target: ArraySlice<UInt8>) -> Target {
    var page = target.trimmed()
    while page.first == UInt8(ascii: ":") { page = page.dropFirst().trimmed() }
    if page.isEmpty || page.first == UInt8(ascii: "#") { return .nowhere }
    if let number = comic(page) { return .comic(number) }
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
    return address(("https://www.explainxkcd.com/wiki/index.php/" as StaticString).utf8Bytes + encoded(page))
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

  /// The number of the comic that a page is about: `353`, `353: Python`, `353#Trivia`; not `353 (number)`.
  private static func comic(_ page: ArraySlice<UInt8>) -> Int? {
    let digits = page.prefix { $0.isASCIIDigit }
    guard !digits.isEmpty, let number = Text(digits).number, number >= 1, number <= Comic.Number.greatestValue
    else {
      return nil
    }
    switch page.dropFirst(digits.count).first {
    case nil, UInt8(ascii: ":"), UInt8(ascii: "#"): return number
    default: return nil
    }
  }

  private static func address(_ bytes: [UInt8]) -> Target {
    WikiCode.isAddress(bytes[...]) ? .address(bytes) : .nowhere
  }

  /// Percent-encodes a page's name.
  private static func encoded(_ name: ArraySlice<UInt8>) -> [UInt8] {
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
