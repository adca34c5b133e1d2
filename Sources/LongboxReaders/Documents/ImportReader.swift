// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// Reads an imported file: a Longbox library, another xkcd app's JSON list, or a text with numbers.
public enum ImportReader {
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Parses a file.
  /// - Throws: `ImportError` with the place of the mistake.
  public static func document(in bytes: [UInt8]) throws(ImportError) -> LibraryDocument {
    let content = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(byteOrderMark.count) : bytes[...]
    guard let text = String(validating: content, as: UTF8.self), !content.contains(0) else { throw .notText }
    let document =
      switch content.first(where: { !$0.isBlank }) {
      case UInt8(ascii: "{"): try object(in: Data(content))
      case UInt8(ascii: "["): LibraryDocument(list: try decode([ListItem].self, Data(content)).map(\.number))
      default:
        if content.count > NumberList.lengthLimit {
          throw .listTooLong
        } else {
          LibraryDocument(list: try NumberList.numbers(in: text))
        }
      }
    try document.check()
    return document
  }

  /// A Longbox library, or another app's object with a list of favorites.
  private static func object(in content: Data) throws(ImportError) -> LibraryDocument {
    let header = try decode(Header.self, content)
    if header.format == LibraryDocument.format {
      // A later version's format is unknown, so the file is rejected unread.
      if let version = header.version, version > LibraryDocument.version { throw .newer(version: version) }
      return try decode(LibraryDocument.self, content)
    }
    guard header.format == nil, header.favorites ?? header.favourites != nil else { throw .foreign }
    let list = try decode(ListInObject.self, content)
    return LibraryDocument(list: (list.favorites ?? list.favourites ?? []).map(\.number))
  }

  private static func decode<Value: Decodable>(_ type: Value.Type, _ content: Data) throws(ImportError)
    -> Value
  {
    do {
      return try JSONDecoder().decode(type, from: content)
    } catch let error as DecodingError {
      throw ImportError(error)
    } catch {
      throw .notJSON("")
    }
  }
}

/// The fields that identify the kind of file.
private struct Header: Decodable {
  struct Anything: Decodable {
    init(from decoder: any Decoder) {}
  }

  var format: String?
  var version: Int?
  var favorites: Anything?
  var favourites: Anything?
}

private struct ListInObject: Decodable {
  var favorites: [ListItem]?
  var favourites: [ListItem]?
}

/// An entry of another app's list: a number, as JSON number or string, or an object with one.
private struct ListItem: Decodable {
  let number: Int

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case num, number, id
  }

  init(from decoder: any Decoder) throws {
    if let number = Self.number(in: try decoder.singleValueContainer()) {
      self.number = number
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    for key in CodingKeys.allCases where container.contains(key) {
      if let number = Self.number(in: try container.superDecoder(forKey: key).singleValueContainer()) {
        self.number = number
        return
      }
    }
    throw DecodingError.dataCorrupted(
      .init(codingPath: decoder.codingPath, debugDescription: "has no num, number or id that is a number")
    )
  }

  private static func number(in container: any SingleValueDecodingContainer) -> Int? {
    if let number = try? container.decode(Int.self) { return number }
    return (try? container.decode(String.self)).flatMap { NumberList.number(in: $0) }
  }
}

extension ImportError {
  /// Describes the place of a decoding error; entries count from 1.
  fileprivate init(_ error: DecodingError) {
    switch error {
    case .typeMismatch(_, let context):
      self = .invalid(at: Self.place(context.codingPath), "is not of the right kind")
    case .valueNotFound(_, let context): self = .invalid(at: Self.place(context.codingPath), "is missing")
    case .keyNotFound(let key, let context):
      self = .invalid(at: Self.place(context.codingPath), "has no “\(key.stringValue)”")
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      let reason = (context.underlyingError as NSError?)?.userInfo[NSDebugDescriptionErrorKey] as? String
      self = .notJSON(reason.map { "\($0.trimmingCharacters(in: .punctuationCharacters))." } ?? "")
    case .dataCorrupted(let context):
      self = .invalid(at: Self.place(context.codingPath), context.debugDescription)
    @unknown default: self = .notJSON("")
    }
  }

  private static func place(_ path: [any CodingKey]) -> String {
    guard !path.isEmpty else { return "the file" }
    return path.map { key in key.intValue.map { "entry \($0 + 1)" } ?? key.stringValue }.joined(
      separator: ", "
    )
  }
}

extension UInt8 {
  /// Whether the byte is an ASCII space, tab or line break.
  package var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
