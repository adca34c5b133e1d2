// Longbox
// SPDX-License-Identifier: MIT

/// Parses comic numbers in a text: one or several per line, with or without `#`, or a table's first column.
///
///     #353, 386; 1053          numbers with any separators
///     353 - Python             a number and its title, as several apps write them
///     num,title                a table heading
///     353,"Python, explained"
enum NumberList {
  /// The maximum length of a text, in bytes: far more than all comics with their titles take.
  static let lengthLimit = 1 << 20

  private static let headings = ["num", "number", "id", "comic", "#", "no"]

  /// All numbers, in order.
  /// - Throws: `ImportError.notANumber` with the line.
  static func numbers(in text: String) throws(ImportError) -> [Int] {
    var numbers: [Int] = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let columns = columns(inHeading: lines.first ?? "")
    for (place, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) {
      if place == 0, columns > 0 { continue }
      let isRow = columns > 1
      let found = isRow ? nil : self.numbers(inLine: line)
      guard let found = found ?? numberBeforeTitle(line, isRow: isRow).map({ [$0] }) else {
        let word = line.trimmingPrefix(while: \.isWhitespace)
        throw .notANumber(line: place + 1, found: word.count > 40 ? "\(word.prefix(40))…" : String(word))
      }
      numbers += found
    }
    return numbers
  }

  /// A number with optional `#` and surrounding space.
  static func number(in text: some StringProtocol) -> Int? {
    var digits = text.drop(while: \.isWhitespace)
    while digits.last?.isWhitespace == true { digits = digits.dropLast() }
    if digits.first == "#" { digits = digits.dropFirst() }
    guard (1...9).contains(digits.utf8.count), digits.allSatisfy({ $0.isASCII && $0.isNumber }) else {
      return nil
    }
    return Int(digits)
  }

  /// The number of columns if the line is a table heading, else 0.
  private static func columns(inHeading line: Substring) -> Int {
    let words = line.split { ",;\t".contains($0) }
    guard let first = words.first, headings.contains(first.filter { !$0.isWhitespace }.lowercased()) else {
      return 0
    }
    return words.count
  }

  /// The line's numbers, if it contains nothing else.
  private static func numbers(inLine line: Substring) -> [Int]? {
    let words = line.split { $0.isWhitespace || $0 == "," || $0 == ";" }
    let numbers = words.compactMap { number(in: $0) }
    return numbers.count == words.count ? numbers : nil
  }

  /// The number at the start of a line, if the rest is a title.
  ///
  /// The separator must be unambiguous: in `1, 2, x` the rest starts with a number, so the line is invalid.
  private static func numberBeforeTitle(_ line: Substring, isRow: Bool) -> Int? {
    let start = line.prefix { $0 == "#" || ($0.isASCII && $0.isNumber) || $0 == " " }
    let rest = line[start.endIndex...]
    guard let number = number(in: start) else { return nil }
    guard let separator = rest.first else { return number }
    if "-–—:".contains(separator) { return number }
    let isFollowed =
      rest.split { $0.isWhitespace || $0 == "," || $0 == ";" }.first.flatMap { self.number(in: $0) } != nil
    return ",;\t".contains(separator) && (isRow || !isFollowed) ? number : nil
  }
}
