// Longbox
// SPDX-License-Identifier: MIT

/// An album's name, taken apart: the store puts into it what kind of album and which edition it is.
///
///     Overexposed - Single                          base "Overexposed", a single
///     A Night at the Opera (Deluxe Edition)         base "A Night at the Opera", edition "Deluxe Edition"
///     Hello Nasty (Deluxe Version) [Remastered]     base "Hello Nasty", edition "Deluxe Version, Remastered"
public struct AlbumName: Equatable, Sendable {
  /// The whole name, as the store writes it.
  public let full: Text
  /// The name without the edition and without " - Single" or " - EP", as Wikipedia would title it.
  public let base: Text
  /// The edition in the store's words without brackets, or empty.
  public let edition: Text
  /// The kind of album that the name indicates.
  public let kind: AlbumKind

  /// Splits a name into base, edition and kind.
  public init(_ name: Text) {
    full = name
    var rest = name.bytes.trimmed()
    var kind = AlbumKind.album
    if let single = Self.without(" - Single", rest) {
      (rest, kind) = (single, .single)
    } else if let ep = Self.without(" - EP", rest) {
      (rest, kind) = (ep, .ep)
    }
    var editions: [Text] = []
    var isLive = false
    while let (before, inside) = Self.lastBrackets(rest) {
      let words = FoldedName(inside)
      if words.hasAny(Self.liveWords) { isLive = true }
      guard words.hasAny(Self.editionWords), !words.hasAny(Self.liveWords) else { break }
      editions.insert(inside, at: 0)
      rest = before
    }
    base = Text(rest)
    var edition = Text.empty
    for part in editions { edition = edition.isEmpty ? part : edition + ", " + part }
    self.edition = edition
    if kind == .album {
      let words = FoldedName(Text(rest))
      if isLive || Self.soundsLive(words) {
        kind = .live
      } else if Self.soundsCompiled(words) {
        kind = .compilation
      }
    }
    self.kind = kind
  }

  /// Words in brackets that mark an edition.
  private static let editionWords: [StaticString] = [
    "deluxe", "remaster", "remastered", "remasters", "edition", "version", "expanded", "anniversary", "bonus",
    "special", "collectors", "mono", "stereo", "explicit", "clean", "reissue", "extended", "super", "digital",
    "complete", "international", "box", "mix",
  ]
  /// Words in brackets that mark a live album.
  private static let liveWords: [StaticString] = ["live", "unplugged", "vivo", "concert"]
  /// Words that follow "live" in the names of live albums, such as "Live at Leeds".
  private static let livePlaces: [StaticString] = ["at", "in", "from", "on", "aus", "a", "en"]

  private static func soundsLive(_ name: FoldedName) -> Bool {
    if name.has("unplugged") || name.contains(FoldedName("in concert")) { return true }
    guard let index = name.words.firstIndex(where: { ("live" as StaticString).isEqual(to: $0) }) else {
      return false
    }
    // Matches "Weld Live" and "Live 1988", but not "Live Through This".
    guard index + 1 < name.words.count else { return true }
    let next = name.words[index + 1]
    return livePlaces.contains { $0.isEqual(to: next) } || next.allSatisfy { $0.isASCIIDigit }
  }

  private static func soundsCompiled(_ name: FoldedName) -> Bool {
    name.contains(FoldedName("greatest hits")) || name.contains(FoldedName("best of"))
      || name.hasAny(["anthology", "essential", "singles", "hits", "compilation"])
      || name.contains(FoldedName("the collection"))
  }

  /// The text before an ending, compared without case; nil if the name lacks the ending.
  private static func without(_ ending: StaticString, _ name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let ending = ending.utf8Bytes
    guard name.count > ending.count else { return nil }
    let tail = name.suffix(ending.count)
    guard zip(tail, ending).allSatisfy({ $0.lowercasedASCII == $1.lowercasedASCII }) else { return nil }
    return name.dropLast(ending.count).trimmed()
  }

  /// The text in the last brackets and the text before them.
  private static func lastBrackets(_ name: ArraySlice<UInt8>) -> (before: ArraySlice<UInt8>, inside: Text)? {
    let opening: UInt8
    switch name.last {
    case UInt8(ascii: ")"): opening = UInt8(ascii: "(")
    case UInt8(ascii: "]"): opening = UInt8(ascii: "[")
    default: return nil
    }
    guard let start = name.lastIndex(of: opening) else { return nil }
    let before = name[..<start].trimmed()
    guard !before.isEmpty else { return nil }
    return (before, Text(name[(start + 1)...].dropLast()))
  }
}

/// A name for comparison, without case, diacritics, width and punctuation.
///
/// A name that consists only of symbols, such as “÷” or “???”, is compared by its bytes.
struct FoldedName: Equatable {
  let words: [[UInt8]]

  init(_ name: Text) {
    var tokenizer = Tokenizer(name)
    var words: [[UInt8]] = []
    while tokenizer.next() {
      if !tokenizer.isCompound { words.append(tokenizer.word) }
    }
    self.words = words.isEmpty && !name.isEmpty ? [Array(name.bytes)] : words
  }

  var isEmpty: Bool { words.isEmpty }

  func has(_ word: StaticString) -> Bool {
    words.contains { word.isEqual(to: $0) }
  }

  func hasAny(_ candidates: [StaticString]) -> Bool {
    candidates.contains { has($0) }
  }

  /// Whether another name's words occur consecutively in this one.
  func contains(_ other: FoldedName) -> Bool {
    guard !other.isEmpty, other.words.count <= words.count else { return false }
    for start in 0...(words.count - other.words.count) where matches(other, at: start) { return true }
    return false
  }

  func begins(with other: FoldedName) -> Bool {
    !other.isEmpty && other.words.count <= words.count && matches(other, at: 0)
  }

  private func matches(_ other: FoldedName, at start: Int) -> Bool {
    for index in 0..<other.words.count where words[start + index] != other.words[index] { return false }
    return true
  }
}
