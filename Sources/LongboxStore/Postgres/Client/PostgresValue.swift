// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

/// A parameter of a statement.
enum PostgresValue: Sendable, ExpressibleByNilLiteral {
  case null
  case integer(Int64)
  case boolean(Bool)
  case text(String)
  case bytes([UInt8])
  case integers([Int64?])
  case byteArrays([[UInt8]?])
  case texts([String?])

  init(nilLiteral: ()) { self = .null }

  init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
  init(_ value: String?) { self = value.map { .text($0) } ?? .null }
  init(_ date: Date?) { self = date.map { .integer($0.seconds) } ?? .null }
  init(_ bytes: [UInt8]?) { self = bytes.map { .bytes($0) } ?? .null }
  init(_ numbers: [Comic.Number]) { self = .integers(numbers.map { Int64($0.value) }) }
  init(_ number: Comic.Number) { self = .integer(Int64(number.value)) }
  init(_ library: LibraryName) { self = .bytes(library.bytes) }

  /// The type's OID in `pg_type`; 0 lets the server infer the type.
  var type: UInt32 {
    switch self {
    case .null: 0
    case .boolean: PostgresType.boolean
    case .bytes: PostgresType.bytes
    case .integer: PostgresType.integer
    case .text: PostgresType.text
    case .integers: PostgresType.integerArray
    case .byteArrays: PostgresType.bytesArray
    case .texts: PostgresType.textArray
    }
  }

  /// The binary form; nil for NULL.
  var encoded: [UInt8]? {
    switch self {
    case .null: nil
    case .integer(let value): Self.bigEndian(value)
    case .boolean(let value): [value ? 1 : 0]
    case .text(let value): Self.text(value)
    case .bytes(let value): value
    case .integers(let values):
      Self.array(of: PostgresType.integer, values.map { $0.map { Self.bigEndian($0) } })
    case .byteArrays(let values): Self.array(of: PostgresType.bytes, values)
    case .texts(let values): Self.array(of: PostgresType.text, values.map { $0.map { Self.text($0) } })
    }
  }

  /// Encodes text as UTF-8.
  ///
  /// PostgreSQL can't store U+0000, so the replacement character takes its place.
  private static func text(_ value: String) -> [UInt8] {
    value.utf8.contains(0) ? Array(value.replacing("\0", with: "\u{FFFD}").utf8) : Array(value.utf8)
  }

  private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  private static func array(of type: UInt32, _ elements: [[UInt8]?]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(20 + elements.reduce(0) { $0 + ($1?.count ?? 0) + 4 })
    // Dimensions, whether there may be NULLs, the type, the length, the first index.
    for word in [1, 1, Int32(bitPattern: type), Int32(elements.count), 1] { bytes += bigEndian(word) }
    for element in elements {
      bytes += bigEndian(element.map { Int32($0.count) } ?? -1)
      if let element { bytes += element }
    }
    return bytes
  }
}

/// OIDs of types in `pg_type`, which are the same in all versions.
enum PostgresType {
  static let boolean: UInt32 = 16
  static let bytes: UInt32 = 17
  static let integer: UInt32 = 20
  static let integer4: UInt32 = 23
  static let text: UInt32 = 25
  static let bytesArray: UInt32 = 1001
  static let textArray: UInt32 = 1009
  static let integerArray: UInt32 = 1016
}
