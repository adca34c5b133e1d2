// Longbox
// SPDX-License-Identifier: MIT

/// A title split into its parts: brackets, text after a dash, featured artists, and the rest.
struct TitleParts {
  /// A part of the title, without its brackets.
  struct Part {
    var words: [TitleWord]
    var kind: Kind
  }

  enum Kind {
    case main
    /// In brackets and none of the below, such as a subtitle.
    case subtitle
    /// Names the recording or guests: `(Live)`, `feat. …`, ` - Single Version`.
    case edition
    /// Numbers a part of a work, so it is not simply dropped: `(Pt. 2)`.
    case number
    /// Follows a dash or colon, and is none of the above.
    case tail
  }

  private(set) var parts: [Part] = []

  init(_ scalars: [UInt32]) {
    var main: [UInt32] = []
    var place = 0
    while place < scalars.count {
      if let close = Self.closing(of: scalars[place]), let end = Self.end(of: close, from: place, in: scalars)
      {
        let content = Array(scalars[(place + 1)..<min(end, scalars.count)])
        if !Self.isInsideWord(place, end, content, scalars) {
          addMain(main)
          main = []
          let words = TitleWord.words(of: content)
          parts.append(Part(words: words, kind: Self.kind(ofBracketed: words)))
          place = end + 1
          continue
        }
      }
      main.append(scalars[place])
      place += 1
    }
    addMain(main)
    // In a title that is all in brackets, they are decoration.
    if !parts.contains(where: { $0.kind == .main }) {
      for index in parts.indices { parts[index].kind = .main }
    }
  }

  /// The words of the parts that a closure selects, in order.
  func words(where isWanted: (Int, Part) -> Bool) -> [TitleWord] {
    var words: [TitleWord] = []
    for (index, part) in parts.enumerated() where isWanted(index, part) {
      words.append(contentsOf: part.words)
    }
    return words
  }

  /// Adds text outside of brackets, split at dashes and before featured artists.
  private mutating func addMain(_ scalars: [UInt32]) {
    var start = 0
    var kind = Kind.main
    for index in scalars.indices {
      guard index > start, let next = Self.boundary(at: index, in: scalars) else { continue }
      add(Array(scalars[start..<index]), kind: kind)
      start = next
      kind = .tail
    }
    add(Array(scalars[start...]), kind: kind)
  }

  private mutating func add(_ scalars: [UInt32], kind: Kind) {
    guard scalars.contains(where: { $0 != 0x20 }) else { return }
    let words = TitleWord.words(of: scalars)
    let isFirst = !parts.contains { $0.kind == .main }
    var kind = kind
    if Self.isFeaturing(words), !isFirst {
      kind = .edition
    } else if kind == .tail, Self.isNumber(words) {
      kind = .number
    } else if kind == .tail, Self.isShortEdition(words) {
      kind = .edition
    }
    parts.append(Part(words: words, kind: isFirst ? .main : kind))
  }
}

extension TitleParts {
  /// The start of the next part after a dash, a colon or before "feat.", if a part ends here.
  private static func boundary(at index: Int, in scalars: [UInt32]) -> Int? {
    let isAfterSpace = scalars[index - 1] == 0x20
    let isBeforeSpace = index + 1 < scalars.count && scalars[index + 1] == 0x20
    switch scalars[index] {
    case 0x2D, 0x2013, 0x2014: return isAfterSpace && isBeforeSpace ? index + 1 : nil
    case 0x3A: return isBeforeSpace ? index + 1 : nil
    case 0x46, 0x66:
      guard isAfterSpace else { return nil }
      let end = scalars[index...].firstIndex { $0 == 0x20 || $0 == 0x2E } ?? scalars.endIndex
      return isFeaturing(TitleWord.words(of: Array(scalars[index..<end]))) ? index : nil
    default: return nil
    }
  }

  private static func closing(of scalar: UInt32) -> UInt32? {
    switch scalar {
    case 0x28, 0xFF08: scalar + 1
    case 0x5B, 0x7B, 0xFF3B: scalar + 2
    case 0x3010, 0x3008, 0x3014: scalar + 1
    default: nil
    }
  }

  /// The index of the closing bracket, taking nesting into account; the end of the title if it is missing.
  private static func end(of close: UInt32, from place: Int, in scalars: [UInt32]) -> Int? {
    var depth = 0
    for index in place..<scalars.count {
      if scalars[index] == scalars[place] { depth += 1 }
      if scalars[index] == close { depth -= 1 }
      if depth == 0 { return index }
    }
    return place + 1 < scalars.count ? scalars.count : nil
  }

  /// Whether the brackets are wordplay, as in `(R)evolution`.
  private static func isInsideWord(_ index: Int, _ end: Int, _ content: [UInt32], _ scalars: [UInt32]) -> Bool
  {
    guard !content.contains(0x20), content.allSatisfy(isLatin) else { return false }
    let isGlued =
      index > 0 && isLatin(scalars[index - 1]) || end + 1 < scalars.count && isLatin(scalars[end + 1])
    return isGlued && kind(ofBracketed: TitleWord.words(of: content)) == .subtitle
  }

  private static func isLatin(_ scalar: UInt32) -> Bool {
    var letters: [UInt32] = []
    guard TitleLetters.append(scalar, to: &letters) == .letter else { return false }
    return !letters.contains(where: TitleLetters.isForeign)
  }

  private static func kind(ofBracketed words: [TitleWord]) -> Kind {
    if isNumber(words) { return .number }
    return isEdition(words) ? .edition : .subtitle
  }

  /// Whether the words are a number, or "part" with a number.
  private static func isNumber(_ words: [TitleWord]) -> Bool {
    guard let first = words.first, let last = words.last, words.count <= 5 else { return false }
    if first.isOne(of: TitleWord.partWords) { return words.count > 1 && words[1].number != nil }
    // One number word only: a year has two or more, and names the recording.
    return last.number != nil && words.count == 1
  }

  private static func isFeaturing(_ words: [TitleWord]) -> Bool {
    words.first?.isOne(of: ["feat", "ft", "featuring"]) ?? false
  }

  /// Whether words after a dash only name the recording: `Radio Edit`, `Live in Paris`.
  private static func isShortEdition(_ words: [TitleWord]) -> Bool {
    guard isEdition(words) else { return false }
    let isPlace = words.first?.isOne(of: ["live", "recorded", "from", "feat", "ft", "featuring"]) ?? false
    return isPlace || words.count { $0.number == nil } <= 4
  }

  private static func isEdition(_ words: [TitleWord]) -> Bool {
    if words.first?.isOne(of: ["feat", "ft", "featuring", "with", "from", "prod"]) ?? false { return true }
    return words.contains { $0.isOne(of: editionWords) }
  }

  private static let editionWords: [StaticString] = [
    "remaster", "remastered", "remasterizado", "live", "version", "versione", "ver", "mix", "mixed", "remix",
    "remixed", "edit", "edition", "mono", "stereo", "demo", "acoustic", "unplugged", "instrumental", "inst",
    "karaoke", "bonus", "radio", "single", "album", "session", "sessions", "recorded", "recording",
    "orchestral", "dub", "rework", "outtake", "explicit", "clean", "intro", "outro", "interlude", "prelude",
    "skit", "reprise", "soundtrack", "ost", "cover", "extended", "original", "vivo", "directo", "hidden",
    "ep", "lp",
  ]
}
