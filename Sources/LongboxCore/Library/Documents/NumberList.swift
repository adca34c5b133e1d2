// Longbox
// SPDX-License-Identifier: MIT

/// Parses comic numbers in a text: one or several per line, with or without `#`, a table's first column, addresses,
/// or a browser's bookmarks.
///
///     #353, 386; 1053          numbers with any separators
///     353 - Python             a number and its title, as several apps write them; also `353.` and `353)`
///     https://xkcd.com/353/    addresses of comics, with any other words in the line
///     num,title                a table heading
///     353,"Python, explained"
enum NumberList {
  /// The maximum length of a text, in bytes: far more than all comics with their titles take.
  static var lengthLimit: Int { 1 << 20 }

  private typealias Line = ArraySlice<UInt8>

  /// All numbers, in order.
  /// - Throws: `ImportError.unreadLines` with the lines and what the others have, `ImportError.listTooLong`.
  static func numbers(in text: ArraySlice<UInt8>) throws(ImportError) -> [Int] {
    guard text.count <= lengthLimit else { throw .listTooLong }
    if text.first(where: { !$0.isASCIISpace }) == UInt8(ascii: "<") {
      // A browser's bookmarks, or another page: everything but the addresses is for the browser.
      let numbers = ComicAddress.numbers(in: text)
      if !numbers.isEmpty { return numbers }
    }
    var numbers: [Int] = []
    var unread = UnreadLines()
    let lines = lines(of: text)
    let columns = lines.first.map { self.columns(inHeading: $0) } ?? 0
    for (place, line) in lines.enumerated() where !line.trimmed().isEmpty {
      if place == 0, columns > 0 { continue }
      let isRow = columns > 1
      let addresses = ComicAddress.numbers(in: line)
      if !addresses.isEmpty {
        numbers += addresses
      } else if !isRow, let found = self.numbers(inLine: line) {
        numbers += found
      } else if let number = numberBeforeTitle(line, isRow: isRow) {
        numbers.append(number)
      } else {
        unread.add(Text(line.trimmed()), number: place + 1)
      }
    }
    guard unread.count == 0 else { throw .unreadLines(unread, others: numbers) }
    return numbers
  }

  /// The lines, which end as on any system; no-break spaces become spaces, and byte order marks go, which stand at
  /// each joint of joined files.
  private static func lines(of text: ArraySlice<UInt8>) -> [Line] {
    var plain: [UInt8] = []
    var place = text.startIndex
    while place < text.endIndex {
      let next = place + 1 < text.endIndex ? text[place + 1] : 0
      switch (text[place], next) {
      case (0x0D, 0x0A), (0xC2, 0xA0):
        plain.append(text[place] == 0x0D ? 0x0A : 0x20)
        place += 1
      case (0x0D, _): plain.append(0x0A)
      case (0xEF, 0xBB) where text[place...].starts(with: ImportReader.byteOrderMark): place += 2
      default: plain.append(text[place])
      }
      place += 1
    }
    return plain.split(separator: 0x0A, omittingEmptySubsequences: false)
  }

  /// A number with optional `#` and surrounding space.
  static func number(in text: ArraySlice<UInt8>) -> Int? {
    var digits = text.trimmed()
    if digits.first == UInt8(ascii: "#") { digits = digits.dropFirst() }
    return Text(digits).number
  }

  /// The number of columns if the line is a table heading, else 0.
  private static func columns(inHeading line: Line) -> Int {
    let words = line.split { $0 == UInt8(ascii: "\t") || isComma($0) }
    guard let first = words.first else { return 0 }
    let name = Text(first.filter { !$0.isASCIISpace }.map { $0.lowercasedASCII })
    let headings: [Text] = ["num", "number", "id", "comic", "#", "no"]
    return headings.contains { $0 == name } ? words.count : 0
  }

  private static func isComma(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")
  }

  /// The line's numbers, if it contains nothing else.
  private static func numbers(inLine line: Line) -> [Int]? {
    var numbers: [Int] = []
    for word in line.split(whereSeparator: { $0.isASCIISpace || isComma($0) }) {
      guard let number = number(in: word) else { return nil }
      numbers.append(number)
    }
    return numbers
  }

  /// The number at the start of a line, if the rest is a title.
  ///
  /// The separator must be unambiguous: in `1, 2, x` the rest starts with a number, so the line is invalid.
  private static func numberBeforeTitle(_ line: Line, isRow: Bool) -> Int? {
    let start = line.prefix { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: " ") || $0.isASCIIDigit }
    let rest = line.dropFirst(start.count)
    guard let number = number(in: start) else { return nil }
    guard let separator = rest.first else { return number }
    // A hyphen, a colon, or a dash of one or the other length.
    if separator == UInt8(ascii: "-") || separator == UInt8(ascii: ":") || rest.starts(with: "–".utf8)
      || rest.starts(with: "—".utf8)
    {
      return number
    }
    // A point or a bracket, but not the point of 1.5.
    if separator == UInt8(ascii: ".") || separator == UInt8(ascii: ")") {
      return rest.dropFirst().first?.isASCIIDigit ?? false ? nil : number
    }
    guard separator == UInt8(ascii: "\t") || isComma(separator) else { return nil }
    let words = rest.split { $0.isASCIISpace || isComma($0) }
    let isFollowed = words.first.map { self.number(in: $0) != nil } ?? false
    return isRow || !isFollowed ? number : nil
  }
}
