// Longbox
// SPDX-License-Identifier: MIT

/// The bytes of a log line; texts that clients choose are escaped, so that they can't forge lines or fields.
struct AccessLogText {
  /// How quotes, backslashes and all but printable ASCII are escaped.
  enum Escaping {
    /// `\x0A`, as Apache and nginx do.
    case hexadecimal
    /// `\u000A`, for JSON strings.
    case json
  }

  private let escaping: Escaping
  private(set) var bytes: [UInt8] = []

  init(escaping: Escaping) {
    self.escaping = escaping
    bytes.reserveCapacity(256)
  }

  /// Adds text of the program's own.
  mutating func add(literal text: String) { bytes.append(contentsOf: text.utf8) }

  /// Adds a text of a client, escaped.
  mutating func add(_ text: String) {
    switch escaping {
    case .hexadecimal:
      for byte in text.utf8 {
        if Self.isPlain(UInt16(byte)) { bytes.append(byte) } else { add(byte, "\\x", digits: 2) }
      }
    case .json:
      for unit in text.utf16 {
        if Self.isPlain(unit) {
          bytes.append(UInt8(truncatingIfNeeded: unit))
        } else {
          add(unit, "\\u", digits: 4)
        }
      }
    }
  }

  private static func isPlain(_ unit: UInt16) -> Bool {
    (0x20...0x7E).contains(unit) && unit != 0x22 && unit != 0x5C
  }

  private mutating func add(_ number: some FixedWidthInteger, _ prefix: String, digits: Int) {
    let text = String(number, radix: 16, uppercase: true)
    add(literal: prefix + String(repeating: "0", count: digits - text.utf8.count) + text)
  }
}
