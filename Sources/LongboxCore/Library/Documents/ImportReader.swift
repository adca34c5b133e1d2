// Longbox
// SPDX-License-Identifier: MIT

/// Reads an imported file: a Longbox library, another xkcd app's JSON list, or a text with numbers or addresses.
public enum ImportReader {
  static var byteOrderMark: [UInt8] { [0xEF, 0xBB, 0xBF] }

  /// Parses a file.
  /// - Throws: `ImportError` with the place of the mistake.
  public static func document(in bytes: [UInt8]) throws(ImportError) -> LibraryDocument {
    guard bytes.count <= LibraryDocument.lengthLimit else { throw .tooLong }
    guard var content = transcoded(bytes)?[...] else { throw .notText }
    while content.starts(with: byteOrderMark) { content = content.dropFirst(3) }
    guard content.isUTF8, !content.contains(0) else { throw .notText }
    let document =
      switch content.first(where: { !$0.isASCIISpace }) {
      case UInt8(ascii: "{"): try object(try json(content))
      case UInt8(ascii: "["): LibraryDocument(list: try numbers(try json(content)))
      default: LibraryDocument(list: try NumberList.numbers(in: content))
      }
    try document.check()
    return document
  }

  /// Makes a list of favorites, for the lines that could be read beside those of `ImportError.unreadLines`.
  /// - Throws: `ImportError` if there are too many.
  public static func document(of numbers: [Int]) throws(ImportError) -> LibraryDocument {
    let document = LibraryDocument(list: numbers)
    try document.check()
    return document
  }

  /// The bytes in UTF-8, if they start with the byte order mark of UTF-16; others unchanged.
  ///
  /// It is nil if they aren't valid UTF-16.
  private static func transcoded(_ bytes: [UInt8]) -> [UInt8]? {
    let isLittleEndian = bytes.starts(with: [0xFF, 0xFE])
    guard isLittleEndian || bytes.starts(with: [0xFE, 0xFF]) else { return bytes }
    guard bytes.count % 2 == 0 else { return nil }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var high: UInt32?
    for index in stride(from: 2, to: bytes.count, by: 2) {
      let (first, second) = (UInt32(bytes[index]), UInt32(bytes[index + 1]))
      let unit = isLittleEndian ? second << 8 | first : first << 8 | second
      var value = unit
      if let surrogate = high {
        guard (0xDC00...0xDFFF).contains(unit) else { return nil }
        value = 0x1_0000 + ((surrogate & 0x3FF) << 10 | unit & 0x3FF)
        high = nil
      } else if (0xD800...0xDBFF).contains(unit) {
        high = unit
        continue
      }
      guard let scalar = Unicode.Scalar(value), let letters = UTF8.encode(scalar) else { return nil }
      text += letters
    }
    return high == nil ? text : nil
  }

  private static func json(_ content: ArraySlice<UInt8>) throws(ImportError) -> JSONItem {
    do throws(JSONReader.Problem) {
      return JSONItem(try JSONReader.value(in: content))
    } catch {
      switch error {
      case .endsEarly: throw .notJSON("It ends too early.")
      case .mistake(let line): throw .notJSON("There is a mistake in line " + Text(decimal: line) + ".")
      case .tooDeep: throw .notJSON("It is nested too deeply.")
      case .tooManyValues: throw .notJSON("It has too many values.")
      }
    }
  }

  /// A Longbox library, or another app's object with a list of favorites.
  private static func object(_ file: JSONItem) throws(ImportError) -> LibraryDocument {
    let format = try file.item("format")?.text()
    if format == LibraryDocument.format {
      // A later version's format is unknown, so the file is rejected unread.
      if let version = try file.item("version")?.integer(), version > LibraryDocument.version {
        throw .newer(version: version)
      }
      return try LibraryDocument(file)
    }
    guard format == nil else { throw .foreign }
    for name in ["favorites", "favourites"] as [Text] {
      if let list = try file.item(name) { return LibraryDocument(list: try numbers(list)) }
    }
    throw .foreign
  }

  private static func numbers(_ list: JSONItem) throws(ImportError) -> [Int] {
    try list.entries { item throws(ImportError) in try number(item) }
  }

  /// An entry of another app's list: a number, as JSON number or string, or an object with one.
  private static func number(_ item: JSONItem) throws(ImportError) -> Int {
    if let number = plainNumber(item.value) { return number }
    for name in ["num", "number", "id"] as [Text] {
      if let number = try item.item(name).flatMap({ plainNumber($0.value) }) { return number }
    }
    throw item.invalid("has no num, number or id that is a number")
  }

  private static func plainNumber(_ value: JSONValue) -> Int? {
    if case .text(let text) = value { return NumberList.number(in: text.bytes) }
    return value.integer.flatMap { Int32(exactly: $0) }.map { Int($0) }
  }
}

/// Parses comic numbers in a text: one or several per line, with or without `#`, a table's first column, addresses,
/// or a browser's bookmarks.
///
///     #353, 386; 1053          numbers with any separators
///     353 - Python             a number and its title, as several apps write them; also `353.` and `353)`
///     https://xkcd.com/353/    addresses of comics, with any other words in the line
///     num,title                a table heading
///     353,"Python, explained"
enum NumberList {
  /// The maximum length of a list, in bytes: far more than all comics with their titles take.
  static var lengthLimit: Int { 1 << 20 }

  private typealias Line = ArraySlice<UInt8>

  /// All numbers, in order.
  /// - Throws: `ImportError.unreadLines` with the lines and what the others have, `ImportError.listTooLong`,
  ///   `ImportError.noAddress`.
  static func numbers(in text: ArraySlice<UInt8>) throws(ImportError) -> [Int] {
    if text.first(where: { !$0.isASCIISpace }) == UInt8(ascii: "<") {
      // A browser's bookmarks, or another page: everything but the addresses is for the browser. Bookmarks have an icon for
      // each site, so they are as long as any file may be.
      let numbers = ComicAddress.numbers(in: text)
      if !numbers.isEmpty { return numbers }
      if text.count > lengthLimit { throw .noAddress }
    }
    guard text.count <= lengthLimit else { throw .listTooLong }
    var numbers: [Int] = []
    var unread = UnreadLines()
    let lines = lines(of: text)
    let columns = lines.first.map { self.columns(inHeading: $0) } ?? 0
    for (index, line) in lines.enumerated() where !line.trimmed().isEmpty {
      if index == 0, columns > 0 { continue }
      let isRow = columns > 1
      let addresses = ComicAddress.numbers(in: line)
      if !addresses.isEmpty {
        numbers += addresses
      } else if !isRow, let found = self.numbers(inLine: line) {
        numbers += found
      } else if let number = numberBeforeTitle(line, isRow: isRow) {
        numbers.append(number)
      } else {
        unread.add(Text(line.trimmed()), number: index + 1)
      }
    }
    guard unread.count == 0 else { throw .unreadLines(unread, others: numbers) }
    return numbers
  }

  /// The lines, which end as on any system; no-break spaces become spaces, and byte order marks go, which stand at
  /// each joint of joined files.
  private static func lines(of text: ArraySlice<UInt8>) -> [Line] {
    var plain: [UInt8] = []
    var index = text.startIndex
    while index < text.endIndex {
      let next = index + 1 < text.endIndex ? text[index + 1] : 0
      switch (text[index], next) {
      case (0x0D, 0x0A), (0xC2, 0xA0):
        plain.append(text[index] == 0x0D ? 0x0A : 0x20)
        index += 1
      case (0x0D, _): plain.append(0x0A)
      case (0xEF, 0xBB) where text[index...].starts(with: ImportReader.byteOrderMark): index += 2
      default: plain.append(text[index])
      }
      index += 1
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

/// The lines of a list that name no comic.
public struct UnreadLines: Equatable, Sendable {
  public struct Line: Equatable, Sendable {
    /// Its number, from 1.
    public var number: Int
    /// Its beginning.
    public var text: Text

    /// The line in words.
    public var sentence: Text { "Line " + Text(decimal: number) + ": “" + text + "”" }
  }

  /// The maximum number of lines that are shown.
  private static var most: Int { 200 }

  /// The first ones.
  public private(set) var shown: [Line] = []
  /// How many there are in all.
  public private(set) var count = 0

  mutating func add(_ text: Text, number: Int) {
    count += 1
    if shown.count < Self.most { shown.append(Line(number: number, text: text.shortened(to: 40))) }
  }
}

/// Why an import was rejected, and where in the file.
public enum ImportError: Error, Equatable, Sendable {
  /// Neither a file nor a text was sent.
  case nothing
  /// Both a file and a text were sent.
  case bothFileAndText
  /// The form is incomplete or malformed.
  case malformedForm
  /// The file is longer than ``LibraryDocument/lengthLimit``.
  case tooLong
  /// The bytes aren't text.
  case notText
  /// Lines of a list name no comic; the others have these numbers.
  case unreadLines(UnreadLines, others: [Int])
  /// The text starts like JSON but is invalid; a sentence says where.
  case notJSON(Text)
  /// A list of numbers that is longer than any list of comics.
  case listTooLong
  /// A long page without the address of a comic.
  case noAddress
  /// JSON that contains neither a library nor a list.
  case foreign
  /// A library file of a later version.
  case newer(version: Int)
  /// An invalid value in a library file.
  case invalid(at: Text, Text)
  /// The library can't take what the file has.
  case notStored(LibraryError)

  /// A sentence that says what to do.
  public var sentence: Text {
    switch self {
    case .nothing: "Choose a file, or paste its text, and try again."
    case .bothFileAndText: "There is a file and a pasted text. Send one of them, not both."
    case .malformedForm: "The form arrived incomplete. Go back, load the page again, and try once more."
    case .tooLong: "Nothing was imported: a file may have at most 8 MB."
    case .notText:
      "Nothing was imported: the file is no text in UTF-8 or UTF-16, so it is neither JSON nor a list of numbers."
    case .unreadLines(let lines, _):
      if lines.count == 1, let line = lines.shown.first {
        "Nothing was imported: in line " + Text(decimal: line.number) + ", “" + line.text
          + "” is not the number of a comic."
      } else {
        "Nothing was imported: " + Text(decimal: lines.count)
          + " lines have neither the number nor the address of a comic."
      }
    case .notJSON(let reason): "Nothing was imported: the file is not whole JSON. " + reason
    case .listTooLong: "Nothing was imported: a list of numbers may have at most 1 MB."
    case .noAddress: "Nothing was imported: the file is a page without the address of a comic on xkcd.com."
    case .foreign:
      "Nothing was imported: this JSON is neither a library that Longbox exported nor a list of favorites."
    case .newer(let version):
      "Nothing was imported: the file has version " + Text(decimal: version)
        + ", which a newer Longbox wrote. Update this one first."
    case .invalid(let place, let problem): "Nothing was imported: " + place + " " + problem + "."
    case .notStored(.full): "Nothing was imported: your library has no room for all that is in the file."
    case .notStored: "Nothing was imported: the file has something that no library can hold."
    }
  }
}

#if !hasFeature(Embedded)
extension ImportError: CustomStringConvertible {
  public var description: String { sentence.description }
}
#endif
