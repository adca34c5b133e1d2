// Longbox
// SPDX-License-Identifier: MIT

/// A text that lists comics' numbers: one or several a line, with or without `#`, or a table whose first column they are.
///
///     #353, 386; 1053          numbers, however they are separated
///     353 - Python             a number and its title, as several apps write them
///     num,title                a table's first line
///     353,"Python, explained"
enum NumberList {
  private static let headings = ["num", "number", "id", "comic", "#", "no"]

  /// All numbers in their order.
  /// - Throws: `ImportError.notANumber`, which names the line.
  static func numbers(in text: String) throws(ImportError) -> [Int] {
    var numbers: [Int] = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (place, line) in lines.enumerated() {
      guard let found = self.numbers(inLine: line, isFirst: place == 0) else {
        let word = line.trimmingPrefix(while: \.isWhitespace)
        throw .notANumber(line: place + 1, found: word.count > 40 ? "\(word.prefix(40))…" : String(word))
      }
      numbers += found
    }
    return numbers
  }

  /// A number, with or without `#` before it and space around it.
  static func number(in text: some StringProtocol) -> Int? {
    var digits = text.drop(while: \.isWhitespace)
    while digits.last?.isWhitespace == true { digits = digits.dropLast() }
    if digits.first == "#" { digits = digits.dropFirst() }
    guard (1...9).contains(digits.utf8.count), digits.allSatisfy({ $0.isASCII && $0.isNumber }) else {
      return nil
    }
    return Int(digits)
  }

  private static func numbers(inLine line: Substring, isFirst: Bool) -> [Int]? {
    let words = line.split { $0.isWhitespace || $0 == "," || $0 == ";" }
    let numbers = words.compactMap { number(in: $0) }
    if numbers.count == words.count { return numbers }
    if isFirst, let heading = words.first, headings.contains(heading.lowercased()) { return [] }
    return numberBeforeTitle(line).map { [$0] }
  }

  /// The number at the start of a line whose rest is a title: after a hyphen, a colon, a tab, a comma or a semicolon.
  private static func numberBeforeTitle(_ line: Substring) -> Int? {
    let start = line.prefix { $0 == "#" || ($0.isASCII && $0.isNumber) || $0 == " " }
    let rest = line[start.endIndex...]
    guard let number = number(in: start), let separator = rest.first, "-–—:\t,;".contains(separator) else {
      return nil
    }
    return number
  }
}
