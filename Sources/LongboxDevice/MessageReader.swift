// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// Reads a host's message: numbers in little-endian order, texts after their length.
///
/// What is missing reads as nothing.
struct MessageReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ message: [UInt8]) {
    rest = message[...]
  }

  mutating func byte() -> UInt8? { rest.popFirst() }

  mutating func word32() -> UInt32? { number(4).map { UInt32(truncatingIfNeeded: $0) } }

  mutating func word64() -> UInt64? { number(8) }

  /// u32 length, and as many bytes.
  mutating func text() -> Text? {
    guard let length = word32().flatMap({ Int(exactly: $0) }), length <= rest.count else { return nil }
    let text = Text(rest.prefix(length))
    rest = rest.dropFirst(length)
    return text
  }

  private mutating func number(_ size: Int) -> UInt64? {
    guard rest.count >= size else { return nil }
    var value: UInt64 = 0
    for (index, byte) in rest.prefix(size).enumerated() { value |= UInt64(byte) << UInt64(8 * index) }
    rest = rest.dropFirst(size)
    return value
  }
}

/// Writes a reply to the host.
struct MessageWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  mutating func append(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  mutating func append32(_ value: Int) {
    for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  mutating func append(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }
}
