// Longbox
// SPDX-License-Identifier: MIT

/// A parsed query.
///
/// Any bytes are a valid query.
///
///     word            the comics with the word, a form of it, or a similar word
///     "some words"    adjacent and in this order
///     -word -"words"  without this
///     this OR that    either is enough
///     353             the comic with this number, then those with it as a word
///     #353            the comic with this number; so do `xkcd 353`, `comic 353` and its address
///     10^36 10³⁶      the comics with this power, however it is written
///     420-425         the comics with these numbers
///     2014-04         the comics of a month; 2014-04-01 of a day, or the nearest
///     is:favorite is:unread is:read is:interactive
///     with:"Black Hat" about:math -with:megan  with this character or topic, or without it
struct SearchQuery {
  /// The maximum number of bytes read.
  static let longestQuery = 256
  static let mostWords = 32

  struct Word {
    /// The folded word.
    var bytes: [UInt8]
    var range: Range<Int>
    /// The group of alternatives that it belongs to: `OR` joins the words or phrases next to it.
    var group: Int
    /// Whether it is part of a phrase, which matches only as a whole.
    var isInPhrase = false
    /// The concept that it belongs to; words joined by `OR` and repetitions of a word share one.
    var concept = 0
    /// Whether it ends the query, so that it may be incomplete.
    var isLast = false
    /// Whether it is a compound whose parts are also words of the query (`e=mc2`); it isn't respelled.
    var isCompound = false
  }

  /// Words that must be adjacent.
  struct Phrase {
    var words: [[UInt8]]
    /// Their indices in the query.
    var indices: Range<Int>
    /// The group of alternatives that it belongs to; a phrase or a word of each group must match.
    var group: Int
  }

  enum Predicate {
    case favorite
    case read
    case unread
    case interactive
  }

  /// A character or topic that a comic must have or, if it is excluded, must not have.
  struct TopicCondition {
    var name: Text
    var isExcluded: Bool
  }

  private(set) var text: Text
  private(set) var words: [Word] = []
  private(set) var conceptCount = 0
  private(set) var phrases: [Phrase] = []
  private(set) var excluded: [[[UInt8]]] = []
  private(set) var predicates: [Predicate] = []
  private(set) var topics: [TopicCondition] = []
  /// The number in the query, whether or not the comic exists.
  private(set) var number: Int?
  private(set) var numbers: ClosedRange<Int>?
  private(set) var days: ClosedRange<CalendarDate>?

  var isEmpty: Bool {
    words.isEmpty && predicates.isEmpty && topics.isEmpty && number == nil && numbers == nil && days == nil
      && excluded.isEmpty
  }

  private var joinsNext = false
  private var groupCount = 0
  /// The quotation marks around phrases, in order.
  private var phraseMarks: [Range<Int>] = []

  init(_ text: Text) {
    self.text = Text(text.bytes.prefix(Self.longestQuery))
    if let named = self.text.namedComic {
      number = named
      return
    }
    let bytes = self.text.bytes
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index].isASCIISpace {
        index += 1
        continue
      }
      index = takePiece(from: index)
    }
    if let last = words.indices.last, words[last].range.upperBound == bytes.endIndex {
      words[last].isLast = true
    }
    assignConcepts()
    takeLoneNumber()
  }

  /// Reads up to the next space or the closing quotation mark.
  private mutating func takePiece(from start: Int) -> Int {
    let bytes = text.bytes
    let isExcluded =
      bytes[start] == UInt8(ascii: "-") && start + 1 < bytes.endIndex && !bytes[start + 1].isASCIISpace
    let index = isExcluded ? start + 1 : start
    if let opening = quotationMark(at: index) {
      var end = index + opening
      while end < bytes.endIndex, quotationMark(at: end) == nil { end += 1 }
      let closing = end + (end < bytes.endIndex ? quotationMark(at: end) ?? 1 : 0)
      if !isExcluded { phraseMarks += [index..<(index + opening), end..<closing] }
      takeQuoted((index + opening)..<end, isExcluded: isExcluded)
      return closing
    }
    var end = index
    while end < bytes.endIndex, !bytes[end].isASCIISpace, quotationMark(at: end) == nil { end += 1 }
    let piece = bytes[index..<end]
    if let name = topicName(in: piece) {
      return takeTopic(name, isExcluded: isExcluded)
    }
    if isExcluded {
      exclude(index..<end)
    } else if Self.isPiece(piece, "OR") {
      joinsNext = !words.isEmpty
    } else if !takeOperator(piece) {
      takeWords(index..<end)
    }
    return max(end, start + 1)
  }

  /// The start of the name after `with:` or `about:`, or nil.
  private func topicName(in piece: ArraySlice<UInt8>) -> Int? {
    for filter in ["with:", "about:"] as [StaticString] where piece.starts(with: filter.utf8Bytes) {
      return piece.startIndex + filter.utf8CodeUnitCount
    }
    return nil
  }

  /// Reads a topic's name, which may stand in quotation marks; an unfinished filter without a name is left out.
  private mutating func takeTopic(_ start: Int, isExcluded: Bool) -> Int {
    let bytes = text.bytes
    let opening = quotationMark(at: start)
    let first = start + (opening ?? 0)
    var end = first
    while end < bytes.endIndex, quotationMark(at: end) == nil, opening != nil || !bytes[end].isASCIISpace {
      end += 1
    }
    let name = Text(bytes[first..<end])
    if !Topic.key(of: name).isEmpty, topics.count < Self.mostWords {
      topics.append(TopicCondition(name: name, isExcluded: isExcluded))
    }
    return opening == nil ? end : end + (quotationMark(at: end) ?? 0)
  }

  /// The length of the quotation mark at an index: `"`, `“` or `”`.
  private func quotationMark(at index: Int) -> Int? {
    let rest = text.bytes[index...]
    if rest.first == UInt8(ascii: "\"") { return 1 }
    guard rest.count >= 3, rest[index] == 0xE2, rest[index + 1] == 0x80 else { return nil }
    return rest[index + 2] == 0x9C || rest[index + 2] == 0x9D ? 3 : nil
  }

  private mutating func takeQuoted(_ range: Range<Int>, isExcluded: Bool) {
    guard !isExcluded else { return exclude(range) }
    let first = words.count
    let found = takeWords(range)
    guard found.count > 1 else { return }
    let group = words[first].group
    for index in first..<words.count {
      words[index].group = group
      words[index].isInPhrase = true
    }
    phrases.append(Phrase(words: found, indices: first..<words.count, group: group))
  }

  private mutating func exclude(_ range: Range<Int>) {
    var tokenizer = Tokenizer(text.bytes[range])
    var found: [[UInt8]] = []
    while tokenizer.next(), found.count < Self.mostWords {
      if !tokenizer.isCompound { found.append(tokenizer.word) }
    }
    if !found.isEmpty, excluded.count < Self.mostWords { excluded.append(found) }
  }

  /// The query without the quotation marks of its phrases; nil if it has no phrase.
  var withoutQuotes: Text? {
    guard !phrases.isEmpty else { return nil }
    var bytes: [UInt8] = []
    var index = text.bytes.startIndex
    for mark in phraseMarks {
      bytes.append(contentsOf: text.bytes[index..<mark.lowerBound])
      index = mark.upperBound
    }
    bytes.append(contentsOf: text.bytes[index...])
    return Text(bytes)
  }

  @discardableResult
  private mutating func takeWords(_ range: Range<Int>) -> [[UInt8]] {
    var tokenizer = Tokenizer(text.bytes[range])
    var found: [[UInt8]] = []
    while words.count < Self.mostWords, tokenizer.next() {
      let word = tokenizer.word
      if !tokenizer.isCompound { found.append(word) }
      var group = groupCount
      if joinsNext, let last = words.last { group = last.group } else { groupCount += 1 }
      joinsNext = false
      words.append(
        Word(bytes: word, range: tokenizer.range, group: group, isCompound: tokenizer.isCompound)
      )
    }
    return found
  }

  /// Gives each word its concept, once all phrases are known.
  private mutating func assignConcepts() {
    for index in words.indices {
      let concept = sharedConcept(ofWordAt: index) ?? conceptCount
      words[index].concept = concept
      conceptCount = max(conceptCount, concept + 1)
    }
  }

  /// The concept that a word shares with an earlier one, if any.
  private func sharedConcept(ofWordAt index: Int) -> Int? {
    let word = words[index]
    let earlier = words[..<index]
    if !word.isInPhrase, let joined = earlier.last(where: { $0.group == word.group && !$0.isInPhrase }) {
      return joined.concept
    }
    return earlier.first { $0.bytes == word.bytes }?.concept
  }

  /// A query that is only a number asks for the comic, and for comics with the number as a word.
  private mutating func takeLoneNumber() {
    guard words.count == 1, !hasExponent, let value = Text(words[0].bytes[...]).number, value > 0 else {
      return
    }
    number = value
  }

  /// Whether the query has a `^` or a raised digit, so that its digits are no comic's number.
  private var hasExponent: Bool {
    let bytes = text.bytes
    return bytes.indices.contains { index in
      switch Tokenizer.scalar(in: bytes, at: index).value {
      case 0x5E, 0xB2, 0xB3, 0xB9, 0x2070...0x2079: true
      default: false
      }
    }
  }

  /// Parses an operator, number or date: `is:favorite`, `#353`, `420-425`, `2014-04`, `2014-04-01`.
  /// - Returns: whether the piece was one.
  private mutating func takeOperator(_ piece: ArraySlice<UInt8>) -> Bool {
    if piece.count > 3, Self.isPiece(piece.prefix(3), "is:") {
      // An unknown filter is left out; the search page names it.
      if let predicate = Self.predicate(piece.dropFirst(3)), predicates.count < Self.mostWords {
        predicates.append(predicate)
      }
      return true
    }
    if let named = Text.number(afterMark: piece) {
      number = named
      return true
    }
    let parts = piece.split(separator: UInt8(ascii: "-"), maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3 else { return false }
    guard let first = Text(parts[0]).number, let second = Text(parts[1]).number else { return false }
    if parts.count == 3 {
      guard
        parts[0].count == 4, let day = Text(parts[2]).number,
        let date = CalendarDate(year: first, month: second, day: day)
      else { return false }
      days = date...date
      return true
    }
    if parts[0].count == 4, parts[1].count == 2, first >= 2000 {
      guard
        (1...12).contains(second),
        let from = CalendarDate(year: first, month: second, day: 1),
        let to = CalendarDate(
          year: first,
          month: second,
          day: CalendarDate.days(inMonth: second, ofYear: first)
        )
      else { return false }
      days = from...to
      return true
    }
    guard first >= 1, first <= second, second <= Comic.Number.greatestValue else { return false }
    numbers = first...second
    return true
  }

  private static func predicate(_ name: ArraySlice<UInt8>) -> Predicate? {
    if isPiece(name, "favorite") || isPiece(name, "favourite") { return .favorite }
    if isPiece(name, "unread") { return .unread }
    if isPiece(name, "read") { return .read }
    if isPiece(name, "interactive") { return .interactive }
    return nil
  }

  private static func isPiece(_ piece: ArraySlice<UInt8>, _ literal: StaticString) -> Bool {
    piece.elementsEqual(literal.utf8Bytes)
  }
}
