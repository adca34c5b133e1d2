// Longbox
// SPDX-License-Identifier: MIT

extension SearchQuery {
  /// Parses an operator, number or date: `is:favorite`, `#353`, `420-425`, `2014-04`, `2014-04-01`.
  /// - Returns: whether the piece was one.
  mutating func takeOperator(_ piece: ArraySlice<UInt8>) -> Bool {
    if piece.count > 3, isPiece(piece.prefix(3), "is:") {
      // An unknown filter is left out; the search page names it.
      if let predicate = Self.predicate(piece.dropFirst(3)) { add(predicate) }
      return true
    }
    if let number = Text.number(afterMark: piece) {
      ask(forNumber: number)
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
      ask(forDays: date...date)
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
      ask(forDays: from...to)
      return true
    }
    guard first >= 1, first <= second, second <= Comic.Number.greatestValue else { return false }
    ask(forNumbers: first...second)
    return true
  }

  private static func predicate(_ name: ArraySlice<UInt8>) -> Predicate? {
    if isPiece(name, "favorite") || isPiece(name, "favourite") { return .favorite }
    if isPiece(name, "unread") { return .unread }
    if isPiece(name, "read") { return .read }
    if isPiece(name, "interactive") { return .interactive }
    return nil
  }

  static func isPiece(_ piece: ArraySlice<UInt8>, _ literal: StaticString) -> Bool {
    piece.elementsEqual(literal.utf8Bytes)
  }

  func isPiece(_ piece: ArraySlice<UInt8>, _ literal: StaticString) -> Bool {
    Self.isPiece(piece, literal)
  }
}

extension Text {
  /// The number of the comic that the whole text names: `#353`, `xkcd 353`, `comic #353`, or its address.
  ///
  /// It may be 404, or another number without a comic.
  package var namedComic: Int? {
    let lowered = Array(bytes.trimmed()).map { $0.lowercasedASCII }
    if let number = Self.number(afterMark: lowered[...]) { return number }
    for word in ["xkcd", "comic"] as [StaticString] where lowered.starts(with: word.utf8Bytes) {
      let rest = lowered.dropFirst(word.utf8CodeUnitCount)
      guard rest.first?.isASCIISpace == true else { continue }
      let name = rest.trimmed()
      return Self.number(afterMark: name) ?? Text(name).number
    }
    guard !lowered.contains(where: { $0.isASCIISpace }) else { return nil }
    for scheme in ["https://", "http://", ""] as [StaticString] where lowered.starts(with: scheme.utf8Bytes) {
      return ComicAddress.number(in: lowered[...], at: scheme.utf8CodeUnitCount)
    }
    return nil
  }

  /// The number in `#353`.
  fileprivate static func number(afterMark bytes: ArraySlice<UInt8>) -> Int? {
    bytes.first == UInt8(ascii: "#") ? Text(bytes.dropFirst()).number : nil
  }
}
