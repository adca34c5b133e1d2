// Longbox
// SPDX-License-Identifier: MIT

/// A JSON value (RFC 8259).
indirect enum JSONValue: Equatable, Sendable {
  struct Member: Equatable, Sendable {
    let name: Text
    let value: JSONValue
  }

  case null
  case flag(Bool)
  /// The number as it was written.
  case number(Text)
  case text(Text)
  case list([JSONValue])
  case object([Member])
}

extension JSONValue {
  static func integer(_ value: Int) -> JSONValue { .number(Text(decimal: value)) }

  /// An object without the members that have no value.
  static func members(_ members: (Text, JSONValue?)...) -> JSONValue {
    var present: [Member] = []
    for (name, value) in members {
      if let value { present.append(Member(name: name, value: value)) }
    }
    return .object(present)
  }

  /// The number, if it is an integer of at most 18 digits; `353.0` is one, too.
  var integer: Int64? {
    guard case .number(let text) = self else { return nil }
    var digits = text.bytes
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative { digits = digits.dropFirst() }
    let whole = digits.prefix { $0.isASCIIDigit }
    let fraction = digits.dropFirst(whole.count)
    guard whole.count <= 18, fraction.dropFirst().allSatisfy({ $0 == UInt8(ascii: "0") }),
      fraction.isEmpty || fraction.first == UInt8(ascii: ".")
    else { return nil }
    var value: Int64 = 0
    // `&*` can't overflow with 18 digits; checked multiplication needs a runtime function that the WebAssembly lacks.
    for digit in whole { value = value &* 10 &+ Int64(digit - UInt8(ascii: "0")) }
    return isNegative ? -value : value
  }
}

extension JSONValue {
  /// The value as text, indented by two spaces, with a line for each element.
  var indented: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes, depth: 0)
    return bytes
  }

  private func append(to bytes: inout [UInt8], depth: Int) {
    switch self {
    case .null: bytes.append("null")
    case .flag(let flag): bytes.append(flag ? "true" : "false")
    case .number(let text): bytes.append(contentsOf: text.bytes)
    case .text(let text): Self.append(text, to: &bytes)
    case .list(let values):
      Self.append("[", values.count, "]", to: &bytes, depth) { values[$0].append(to: &$1, depth: depth + 1) }
    case .object(let members):
      Self.append("{", members.count, "}", to: &bytes, depth) {
        Self.append(members[$0].name, to: &$1)
        $1.append(" : ")
        members[$0].value.append(to: &$1, depth: depth + 1)
      }
    }
  }

  private static func append(
    _ start: StaticString,
    _ count: Int,
    _ end: StaticString,
    to bytes: inout [UInt8],
    _ depth: Int,
    _ element: (Int, inout [UInt8]) -> Void
  ) {
    bytes.append(start)
    for place in 0..<count {
      startLine(depth + 1, in: &bytes)
      element(place, &bytes)
      if place < count - 1 { bytes.append(UInt8(ascii: ",")) }
    }
    if count == 0 { bytes.append(UInt8(ascii: "\n")) }
    startLine(depth, in: &bytes)
    bytes.append(end)
  }

  private static func startLine(_ depth: Int, in bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\n"))
    for _ in 0..<depth { bytes.append("  ") }
  }

  /// Appends a quoted text; control characters are escaped, and invalid UTF-8 must have been left out before.
  private static func append(_ text: Text, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.bytes {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): bytes.append("\\n")
      case UInt8(ascii: "\r"): bytes.append("\\r")
      case UInt8(ascii: "\t"): bytes.append("\\t")
      case 0..<0x20:
        bytes.append("\\u00")
        bytes.append(UInt8(hexadecimalDigit: byte >> 4))
        bytes.append(UInt8(hexadecimalDigit: byte & 15))
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
