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
    for index in 0..<count {
      startLine(depth + 1, in: &bytes)
      element(index, &bytes)
      if index < count - 1 { bytes.append(UInt8(ascii: ",")) }
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

/// Parses JSON (RFC 8259) that anyone may have written, with limits on depth and size.
struct JSONReader {
  /// Why a text isn't JSON that we read.
  enum Problem: Error, Equatable {
    case endsEarly
    case mistake(line: Int)
    case tooDeep
    case tooManyValues
  }

  private static var depthLimit: Int { 64 }
  private static var valueLimit: Int { 1 << 20 }

  private let bytes: ArraySlice<UInt8>
  private var index: Int
  private var values = 0

  private init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    index = bytes.startIndex
  }

  /// Parses a text.
  /// - Parameter bytes: valid UTF-8.
  static func value(in bytes: ArraySlice<UInt8>) throws(Problem) -> JSONValue {
    var reader = JSONReader(bytes)
    let value = try reader.value(depth: 0)
    guard reader.next == nil else { throw reader.mistake }
    return value
  }

  /// The next byte that isn't white space.
  private var next: UInt8? {
    mutating get {
      while index < bytes.endIndex {
        let byte = bytes[index]
        // Vertical tabs and form feeds are no white space here.
        guard byte.isASCIISpace, byte != 0x0B, byte != 0x0C else { return byte }
        index += 1
      }
      return nil
    }
  }

  private var mistake: Problem {
    guard index < bytes.endIndex else { return .endsEarly }
    return .mistake(line: 1 + bytes[..<index].reduce(0) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 })
  }

  private mutating func value(depth: Int) throws(Problem) -> JSONValue {
    guard depth < Self.depthLimit else { throw .tooDeep }
    values += 1
    guard values <= Self.valueLimit else { throw .tooManyValues }
    switch next {
    case UInt8(ascii: "{"): return try object(depth)
    case UInt8(ascii: "["): return try list(depth)
    case UInt8(ascii: "\""): return .text(try text())
    case UInt8(ascii: "t"): return try word("true", .flag(true))
    case UInt8(ascii: "f"): return try word("false", .flag(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(Problem) -> JSONValue {
    for byte in word.utf8Bytes { try expect(byte) }
    return value
  }

  private mutating func expect(_ byte: UInt8) throws(Problem) {
    guard skip(byte) else { throw mistake }
  }

  private mutating func list(_ depth: Int) throws(Problem) -> JSONValue {
    var list: [JSONValue] = []
    index += 1
    if next == UInt8(ascii: "]") {
      index += 1
      return .list(list)
    }
    while true {
      list.append(try value(depth: depth + 1))
      if try ends(with: UInt8(ascii: "]")) { return .list(list) }
    }
  }

  private mutating func object(_ depth: Int) throws(Problem) -> JSONValue {
    var members: [JSONValue.Member] = []
    index += 1
    if next == UInt8(ascii: "}") {
      index += 1
      return .object(members)
    }
    while true {
      guard next == UInt8(ascii: "\"") else { throw mistake }
      let name = try text()
      guard next == UInt8(ascii: ":") else { throw mistake }
      index += 1
      members.append(.init(name: name, value: try value(depth: depth + 1)))
      if try ends(with: UInt8(ascii: "}")) { return .object(members) }
    }
  }

  /// Reads a comma, or the end of a list or an object.
  private mutating func ends(with end: UInt8) throws(Problem) -> Bool {
    guard let byte = next, byte == end || byte == UInt8(ascii: ",") else { throw mistake }
    index += 1
    return byte == end
  }

  // Numbers

  private mutating func number() throws(Problem) -> Text {
    let start = index
    skip(UInt8(ascii: "-"))
    // No number has a leading zero.
    if !skip(UInt8(ascii: "0")) { try digits() }
    if skip(UInt8(ascii: ".")) { try digits() }
    if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
      if !skip(UInt8(ascii: "+")) { skip(UInt8(ascii: "-")) }
      try digits()
    }
    return Text(bytes[start..<index])
  }

  /// Skips a byte if it is next; returns whether it was.
  @discardableResult
  private mutating func skip(_ byte: UInt8) -> Bool {
    guard index < bytes.endIndex, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  private mutating func digits() throws(Problem) {
    let start = index
    while index < bytes.endIndex, bytes[index].isASCIIDigit { index += 1 }
    guard index > start else { throw mistake }
  }

  // Texts

  private mutating func text() throws(Problem) -> Text {
    index += 1
    var text: [UInt8] = []
    while index < bytes.endIndex {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        return Text(text)
      case UInt8(ascii: "\\"):
        index += 1
        try appendEscape(to: &text)
      case 0..<0x20: throw mistake
      default:
        text.append(byte)
        index += 1
      }
    }
    throw .endsEarly
  }

  private mutating func appendEscape(to text: inout [UInt8]) throws(Problem) {
    guard index < bytes.endIndex else { throw .endsEarly }
    let letter = bytes[index]
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
    case UInt8(ascii: "b"): text.append(8)
    case UInt8(ascii: "f"): text.append(12)
    case UInt8(ascii: "n"): text.append(10)
    case UInt8(ascii: "r"): text.append(13)
    case UInt8(ascii: "t"): text.append(9)
    case UInt8(ascii: "u"):
      index += 1
      try appendScalar(to: &text)
      return
    default: throw mistake
    }
    index += 1
  }

  /// Appends a character given by its number in UTF-16, or by two.
  private mutating func appendScalar(to text: inout [UInt8]) throws(Problem) {
    var value = try fourDigits()
    if (0xD800..<0xDC00).contains(value) {
      try expect(UInt8(ascii: "\\"))
      try expect(UInt8(ascii: "u"))
      let low = try fourDigits()
      guard (0xDC00..<0xE000).contains(low) else { throw mistake }
      value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(value) else { throw mistake }
    text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }

  private mutating func fourDigits() throws(Problem) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard index < bytes.endIndex else { throw .endsEarly }
      let digit: UInt8
      switch bytes[index].lowercasedASCII {
      case let byte where byte.isASCIIDigit: digit = byte - UInt8(ascii: "0")
      case let byte where (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte):
        digit = byte - UInt8(ascii: "a") + 10
      default: throw mistake
      }
      value = value << 4 | UInt32(digit)
      index += 1
    }
    return value
  }
}
