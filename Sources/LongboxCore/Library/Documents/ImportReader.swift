// Longbox
// SPDX-License-Identifier: MIT

/// Reads an imported file: a Longbox library, another xkcd app's JSON list, or a text with numbers.
public enum ImportReader {
  /// Parses a file.
  /// - Throws: `ImportError` with the place of the mistake.
  public static func document(in bytes: [UInt8]) throws(ImportError) -> LibraryDocument {
    guard bytes.count <= LibraryDocument.lengthLimit else { throw .tooLong }
    let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    let content = hasMark ? bytes.dropFirst(3) : bytes[...]
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
