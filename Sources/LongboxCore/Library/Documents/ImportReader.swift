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
    for place in stride(from: 2, to: bytes.count, by: 2) {
      let (first, second) = (UInt32(bytes[place]), UInt32(bytes[place + 1]))
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
