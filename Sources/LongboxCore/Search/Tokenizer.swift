// Longbox
// SPDX-License-Identifier: MIT

/// Splits text into folded words, one at a time, without an allocation for each.
///
/// - Apostrophes in a word and a possessive `'s` are dropped: `don't` is `dont`, `Randall's` is `randall`.
/// - Hyphens separate words: `hand-aligned` is `hand aligned`. (Search also finds it by `handaligned`.)
/// - `C++` and `C#`, `D&D` and `AT&T`, `0.05` are one word each.
/// - A `^` in a word is dropped: `10^36` is `1036`, as `10³⁶` is.
/// - Words joined by `=` count separately and as a compound: `e=mc2` is `e`, `mc2` and `e=mc2`.
struct Tokenizer {
  /// The maximum bytes of a folded word; longer ones are cut.
  static let longestWord = 48

  /// The current folded word.
  private(set) var word: [UInt8] = []
  /// The word's range in the bytes.
  private(set) var range = 0..<0
  /// The word's index in the text; a compound has the index of its last part.
  private(set) var position = -1
  /// Whether the word is a compound whose parts have been returned already.
  private(set) var isCompound = false

  /// The total bytes of all words so far.
  private(set) var letters = 0

  private let bytes: ArraySlice<UInt8>
  private var index: Int
  private var joined: [UInt8] = []
  private var joinedStart = 0
  private var isJoinedReady = false

  init(_ text: Text) {
    self.init(text.bytes)
  }

  /// Creates a tokenizer for a part of a text; ``range`` refers to the whole text.
  init(_ part: ArraySlice<UInt8>) {
    bytes = part
    index = part.startIndex
    word.reserveCapacity(Self.longestWord + 8)
  }

  /// Advances to the next word that passes a filter; the others are only counted.
  /// - Returns: whether there is one.
  mutating func next(_ wanted: WordFilter = .all) -> Bool {
    if joined.isEmpty, !isJoinedReady {
      isCompound = false
      if takePlainWord(wanted) { return true }
    }
    if isJoinedReady {
      isJoinedReady = false
      isCompound = true
      word = joined
      range = joinedStart..<index
      joined.removeAll(keepingCapacity: true)
      return true
    }
    isCompound = false
    guard scanWord() else { return false }
    position += 1
    letters += word.count
    noteJoint()
    return true
  }

  /// Skips plain words (ASCII letters and digits) until one passes the filter, or the text isn't plain.
  @inline(never)
  private mutating func takePlainWord(_ wanted: WordFilter) -> Bool {
    let bytes = bytes
    let span = bytes.span.bytes
    let base = bytes.startIndex
    let end = span.byteCount
    var place = index - base
    // Count skipped words locally and write to memory once.
    var words = 0
    var passed = 0
    defer {
      position += words
      letters += passed
      index = base + place
    }
    while place < end {
      let first = span.byte(at: place)
      guard first < 0x80 else { return false }
      if !first.isPlain {
        place += 1
        continue
      }
      let start = place
      place = Self.endOfPlainBytes(span, from: place + 1)
      let after = place < end ? span.byte(at: place) : 0x20
      let length = place - start
      // An apostrophe, accent or other mark may continue the word; `scanWord` handles it.
      let isPlain =
        place == end || after.endsPlainWord
        || after == UInt8(ascii: ".") && (place + 1 == end || !span.byte(at: place + 1).isASCIIDigit)
      guard length <= Self.longestWord, isPlain else {
        place = start
        return false
      }
      words += 1
      passed += length
      if wanted.admits(first, length > 1 ? span.byte(at: start + 1) : 0, length: length) {
        word.removeAll(keepingCapacity: true)
        for place in start..<place { word.append(span.byte(at: place).lowercasedASCII) }
        range = (base + start)..<(base + place)
        return true
      }
    }
    return false
  }

  /// The end of the ASCII letters and digits from an index, found eight bytes at a time.
  @inline(__always)
  private static func endOfPlainBytes(_ span: RawSpan, from start: Int) -> Int {
    var index = start
    while index + 8 <= span.byteCount {
      let count = span.word64(at: index).plainByteCount
      index += count
      if count < 8 { return index }
    }
    while index < span.byteCount, span.byte(at: index).isPlain { index += 1 }
    return index
  }

  /// Reads from the index to the end of the next word.
  @inline(never)
  private mutating func scanWord() -> Bool {
    word.removeAll(keepingCapacity: true)
    var start = index
    var apostrophe: Int?
    scan: while index < bytes.endIndex {
      let (scalar, length) = Self.scalar(in: bytes, at: index)
      let before = word.count
      switch take(scalar) {
      case .part:
        if before == 0, word.count > 0 { start = index }
        index += length
      case .whole:
        if before > 0 { break scan }
        start = index
        index += length
        append(scalar)
        break scan
      case .separator:
        if before == 0 {
          index += length
          if scalar != UInt32(UInt8(ascii: "'")) { start = index }
        } else if Self.isApostrophe(scalar), isWordStart(at: index + length) {
          apostrophe = word.count
          index += length
        } else if scalar == UInt32(UInt8(ascii: "^")), isWordStart(at: index + length) {
          index += length
        } else if takesMark(scalar, length: length) {
          word.append(UInt8(truncatingIfNeeded: scalar))
          index += length
        } else {
          break scan
        }
      }
    }
    guard !word.isEmpty else { return false }
    takeTrailingMarks()
    if let apostrophe, word.count == apostrophe + 1, word[apostrophe] == UInt8(ascii: "s") {
      word.removeLast()
    }
    if word.count > Self.longestWord { word.removeSubrange(Self.longestWord...) }
    range = start..<index
    return true
  }

  /// Appends the folding of a scalar if it is part of a word.
  private mutating func take(_ scalar: UInt32) -> Folding.Role {
    if scalar < 0x80 {
      let byte = UInt8(truncatingIfNeeded: scalar)
      guard byte.isASCIILetter || byte.isASCIIDigit else { return .separator }
      if word.count <= Self.longestWord { word.append(byte.lowercasedASCII) }
      return .part
    }
    var role = Folding.Role.part
    Folding.fold(scalar) { folded in
      switch Folding.role(of: folded) {
      case .part: append(folded)
      case .whole: role = .whole
      case .separator: if role == .part { role = .separator }
      }
    }
    // A scalar that folds to nothing continues a word but doesn't start one.
    return role
  }

  private mutating func append(_ scalar: UInt32) {
    guard word.count <= Self.longestWord, let scalar = Unicode.Scalar(scalar) else { return }
    if scalar.isASCII {
      word.append(UInt8(truncatingIfNeeded: scalar.value))
    } else if let encoded = UTF8.encode(scalar) {
      word.append(contentsOf: encoded)
    }
  }

  /// Whether a separator belongs to the word: a point between digits, an ampersand after one or two letters.
  private func takesMark(_ scalar: UInt32, length: Int) -> Bool {
    guard length == 1, let last = word.last, index + 1 < bytes.endIndex else { return false }
    let after = bytes[index + 1]
    switch UInt8(truncatingIfNeeded: scalar) {
    case UInt8(ascii: "."): return last.isASCIIDigit && after.isASCIIDigit
    case UInt8(ascii: "&"): return word.count <= 2 && last.isASCIILetter && after.isASCIILetter
    default: return false
    }
  }

  /// Reads `++` after a word, and `#` after a single letter.
  private mutating func takeTrailingMarks() {
    let rest = bytes[index...]
    let plus = UInt8(ascii: "+")
    if rest.count >= 2, rest[index] == plus, rest[index + 1] == plus, !isWordStart(at: index + 2) {
      word.append(plus)
      word.append(plus)
      index += 2
    } else if word.count == 1, rest.first == UInt8(ascii: "#"), !isWordStart(at: index + 1) {
      word.append(UInt8(ascii: "#"))
      index += 1
    }
  }

  /// Collects words joined by `=`, and returns the compound after the last part.
  private mutating func noteJoint() {
    let joins = index < bytes.endIndex && bytes[index] == UInt8(ascii: "=") && isWordStart(at: index + 1)
    if joined.isEmpty {
      guard joins else { return }
      joinedStart = range.lowerBound
    }
    joined.append(contentsOf: word)
    if joins, joined.count < Self.longestWord {
      joined.append(UInt8(ascii: "="))
    } else {
      isJoinedReady = true
      if joined.count > Self.longestWord { joined.removeSubrange(Self.longestWord...) }
    }
  }

  /// Whether a letter, digit or similar is at an index.
  private func isWordStart(at index: Int) -> Bool {
    guard index < bytes.endIndex else { return false }
    var found = false
    Folding.fold(Self.scalar(in: bytes, at: index).value) { folded in
      if Folding.role(of: folded) == .part { found = true }
    }
    return found
  }

  private static func isApostrophe(_ scalar: UInt32) -> Bool {
    scalar == 0x27 || scalar == 0x2019 || scalar == 0x2BC
  }

  /// The scalar at an index and its length in bytes; an invalid byte counts as a separator.
  static func scalar(in bytes: ArraySlice<UInt8>, at index: Int) -> (value: UInt32, length: Int) {
    let lead = bytes[index]
    guard lead >= 0x80 else { return (UInt32(lead), 1) }
    let length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0
    guard length > 0, length <= bytes.endIndex - index else { return (0x20, 1) }
    var value = UInt32(lead) & (length == 2 ? 0x1F : length == 3 ? 0x0F : 0x07)
    for offset in 1..<length {
      guard bytes[index + offset] & 0xC0 == 0x80 else { return (0x20, 1) }
      value = value << 6 | UInt32(bytes[index + offset] & 0x3F)
    }
    return (value, length)
  }
}

extension UInt64 {
  /// The number of ASCII letters and digits at the start of the eight bytes, lowest first.
  ///
  /// Sums of bytes below 0x80 don't carry; the top bit of each byte says whether it reached a bound.
  @inline(__always)
  fileprivate var plainByteCount: Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let low = self & (0x7F &* ones)
    let lower = low | (0x20 &* ones)
    let letters = (lower &+ (0x80 - 0x61) &* ones) & ~(lower &+ (0x80 - 0x7B) &* ones)
    let digits = (low &+ (0x80 - 0x30) &* ones) & ~(low &+ (0x80 - 0x3A) &* ones)
    let others = (~(letters | digits) | self) & (0x80 &* ones)
    return others.trailingZeroBitCount / 8
  }
}

extension UInt8 {
  @inline(__always)
  fileprivate var isPlain: Bool { isASCIILetter || isASCIIDigit }

  /// Whether a word certainly ends before this byte.
  @inline(__always)
  fileprivate var endsPlainWord: Bool {
    switch self {
    case UInt8(ascii: "'"), UInt8(ascii: "."), UInt8(ascii: "&"), UInt8(ascii: "+"), UInt8(ascii: "#"),
      UInt8(ascii: "="), UInt8(ascii: "^"):
      false
    default: self < 0x80
    }
  }
}

/// Preselects words by their first two bytes and their length.
struct WordFilter {
  /// Passes every word.
  static let all = WordFilter(entry: Entry(firsts: .max, lengths: .max))
  /// Passes only inserted words.
  static var none: WordFilter { WordFilter(entry: Entry(firsts: 0, lengths: 0)) }

  /// The words with one second byte: a bit for each first byte, and one for each length.
  private struct Entry {
    var firsts: UInt32
    var lengths: UInt64
  }

  private var entries: [Entry]

  private init(entry: Entry) {
    entries = Array(repeating: entry, count: 32)
  }

  /// Whether a word with these first bytes, in either case, may pass.
  @inline(__always)
  func admits(_ first: UInt8, _ second: UInt8, length: Int) -> Bool {
    let entry = entries[Int(second & 31)]
    return entry.firsts & (1 << UInt32(first & 31)) != 0 && entry.lengths & (1 << UInt64(length & 63)) != 0
  }

  mutating func insert(_ word: ArraySlice<UInt8>) {
    insert(word, lengths: 1 << UInt64(word.count & 63))
  }

  /// Passes all words with the same first two bytes as a word.
  mutating func insertForms(_ word: ArraySlice<UInt8>) {
    insert(word, lengths: .max)
  }

  private mutating func insert(_ word: ArraySlice<UInt8>, lengths: UInt64) {
    guard let first = word.first else { return }
    let second = word.count > 1 ? word[word.startIndex + 1] : 0
    entries[Int(second & 31)].firsts |= 1 << UInt32(first & 31)
    entries[Int(second & 31)].lengths |= lengths
  }
}
