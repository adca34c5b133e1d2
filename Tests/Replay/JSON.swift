// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import NIOCore

/// A JSON value, for records sent to the control address.
enum JSONValue: Codable, Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }

  /// The value as JSON with sorted keys; a string counts as JSON text, to allow unusual escapes.
  func text() throws -> ByteBuffer {
    if case .string(let text) = self { return ByteBuffer(string: text) }
    return ByteBuffer(bytes: try Self.encoder.encode(self))
  }

  /// Replaces or adds fields of a JSON object.
  static func object(in bytes: ByteBuffer, merging fields: [String: JSONValue]) throws -> ByteBuffer {
    let old = try JSONDecoder().decode([String: JSONValue].self, from: Data(bytes.readableBytesView))
    return ByteBuffer(bytes: try encoder.encode(old.merging(fields) { _, new in new }))
  }

  /// An encoder that sorts the keys, so that equal values have equal bytes.
  static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}

/// A key of any name, to detect unknown ones: with `times` misspelled, a fault would never end.
struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

func noSuchField(_ subject: String, _ fields: [String]) -> String {
  "\(subject) has no such field; its fields are \(fields.sorted().joined(separator: ", "))."
}

extension DecodingError {
  /// A sentence with the place and the reason of the error.
  /// - Parameter subject: the name of the JSON in the sentence, such as "The body".
  func sentence(about subject: String) -> String {
    switch self {
    case .keyNotFound(let key, let context):
      "\(Self.place(context.codingPath + [key], in: subject)) is missing."
    case .valueNotFound(_, let context):
      "\(Self.place(context.codingPath, in: subject)) is null."
    case .typeMismatch(let type, let context):
      "\(Self.place(context.codingPath, in: subject)) is not \(Self.name(of: type))."
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      "\(subject) is not JSON: \(context.debugDescription)"
    case .dataCorrupted(let context):
      "\(Self.place(context.codingPath, in: subject)): \(context.debugDescription)"
    @unknown default:
      "\(self)"
    }
  }

  private static func place(_ path: [any CodingKey], in subject: String) -> String {
    path.isEmpty ? subject : "'\(path.map(\.stringValue).joined(separator: "."))'"
  }

  private static func name(of type: any Any.Type) -> String {
    switch type {
    case is Int.Type, is UInt64.Type: "a whole number"
    case is Double.Type: "a number"
    case is String.Type: "a string"
    case is Bool.Type: "true or false"
    case is any DictionaryKind.Type: "an object"
    default: "of the right kind (\(type))"
    }
  }
}

/// Any dictionary: the type JSONDecoder reports when it expected an object.
private protocol DictionaryKind {}
extension Dictionary: DictionaryKind {}
