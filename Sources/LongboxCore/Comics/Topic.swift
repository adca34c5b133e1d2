// Longbox
// SPDX-License-Identifier: MIT

/// A category of explain xkcd that says who or what a comic is about.
///
/// docs/wikitext.md has the rule that tells topics from categories about the wiki or the publication of a comic.
public struct Topic: Equatable, Sendable {
  /// Who or what a topic is.
  public enum Kind: UInt8, Sendable {
    /// Somebody with a name, from a category such as "Comics featuring Black Hat".
    case character = 0
    /// Anything else.
    case subject = 1
  }

  /// The maximum length of a name, in bytes.
  public static var longestName: Int { 80 }
  /// The maximum number of topics of a comic.
  public static var mostOfComic: Int { 64 }

  /// Who or what it is.
  public let kind: Kind
  /// The name, such as "Black Hat" or "Math".
  public let name: Text

  init(kind: Kind, name: Text) {
    self.kind = kind
    self.name = name
  }

  /// The topic of a category; nil for a category about the wiki or about the publication of a comic.
  /// - Parameter category: the name as in the wikitext, without the namespace and the key for sorting.
  public init?(category: some Sequence<UInt8>) {
    let category = Self.tidied(Array(category))
    guard !category.isEmpty, !Self.isMaintenance(category[...]) else { return nil }
    var name = category[...]
    var kind = Kind.subject
    if let rest = Self.rest(of: name, after: "comics featuring ") {
      name = rest
      // "Comics featuring children" has no name of a person.
      if let first = rest.first, !(0x61...0x7A).contains(first) { kind = .character }
    } else if let rest = Self.rest(of: name, after: "comics with ") {
      name = rest
    }
    var spelled = Array(name)
    if kind == .subject, category.count != spelled.count, let first = spelled.first, first.isASCIILetter {
      spelled[0] = first & ~0x20
    }
    guard !spelled.isEmpty, spelled.count <= Self.longestName else { return nil }
    self.init(kind: kind, name: Text(spelled))
    guard !key.isEmpty else { return nil }
  }

  /// The name as in addresses, `black-hat`; topics with the same key are one.
  public var key: Text { Self.key(of: name) }

  /// The key of a name as a person may type it: lower case, without accents and apostrophes, with a hyphen for
  /// all other signs.
  public static func key(of name: Text) -> Text {
    var key: [UInt8] = []
    var isParted = false
    for byte in name.plainLetters where byte != UInt8(ascii: "'") {
      guard byte.isASCIILetter || byte.isASCIIDigit else {
        isParted = true
        continue
      }
      if isParted, !key.isEmpty { key.append(UInt8(ascii: "-")) }
      isParted = false
      key.append(byte)
    }
    return Text(key)
  }

  /// A category's name with entities decoded, without marks of direction, and with single spaces.
  private static func tidied(_ raw: [UInt8]) -> [UInt8] {
    var tidy: [UInt8] = []
    var index = 0
    while index < raw.count, tidy.count <= 4 * longestName {
      var bytes = [raw[index]]
      index += 1
      if bytes[0] == UInt8(ascii: "&"), let entity = Entity.decode(raw[...], at: index - 1) {
        bytes = entity.utf8
        index = entity.end
      }
      if bytes[0] == UInt8(ascii: "_") || bytes[0].isASCIISpace { bytes = [0x20] }
      guard bytes[0] >= 0x20, bytes[0] != 0x7F else { return [] }
      tidy += bytes
      if tidy.suffix(3).elementsEqual([0xE2, 0x80, 0x8E]) || tidy.suffix(3).elementsEqual([0xE2, 0x80, 0x8F])
      {
        tidy.removeLast(3)
      }
      if tidy.suffix(2).elementsEqual([0xC2, 0xA0]) {
        tidy.replaceSubrange((tidy.count - 2)..., with: [0x20])
      }
      // Between words stands one space, and none at the start.
      if tidy.last == 0x20, tidy.count == 1 || tidy[tidy.count - 2] == 0x20 { tidy.removeLast() }
    }
    if tidy.last == 0x20 { tidy.removeLast() }
    return tidy
  }

  /// Whether a category is about the wiki's pages or about how a comic was published.
  private static func isMaintenance(_ category: ArraySlice<UInt8>) -> Bool {
    let words = category.split(separator: 0x20).map { word in word.map { $0.lowercasedASCII } }
    // Of the names that start with "Comics", those that go on otherwise tell how comics were numbered or edited.
    if isAny(of: ["comics"], words[0]) {
      guard words.count > 2, isAny(of: ["featuring", "with", "to"], words[1]) else { return true }
    }
    if isAny(of: ["pages", "articles", "incomplete", "missing", "all"], words[0]) { return true }
    return words.contains {
      isAny(
        of: [
          "livejournal", "xkcd.com", "store", "title", "explanations", "transcripts", "template", "cc-by-sa",
        ],
        $0
      )
    }
  }

  private static func isAny(of words: [StaticString], _ word: [UInt8]) -> Bool {
    words.contains { $0.isEqual(to: word) }
  }

  /// What follows a prefix, which is in lower case.
  private static func rest(of name: ArraySlice<UInt8>, after prefix: StaticString) -> ArraySlice<UInt8>? {
    let count = prefix.utf8CodeUnitCount
    guard prefix.isEqual(to: name.prefix(count).map { $0.lowercasedASCII }) else { return nil }
    return name.dropFirst(count)
  }
}
