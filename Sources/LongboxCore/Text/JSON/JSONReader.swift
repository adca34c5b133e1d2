// Longbox
// SPDX-License-Identifier: MIT

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
  private var place: Int
  private var values = 0

  private init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    place = bytes.startIndex
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
      while place < bytes.endIndex {
        let byte = bytes[place]
        // Vertical tabs and form feeds are no white space here.
        guard byte.isASCIISpace, byte != 0x0B, byte != 0x0C else { return byte }
        place += 1
      }
      return nil
    }
  }

  private var mistake: Problem {
    guard place < bytes.endIndex else { return .endsEarly }
    return .mistake(line: 1 + bytes[..<place].reduce(0) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 })
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
    place += 1
    if next == UInt8(ascii: "]") {
      place += 1
      return .list(list)
    }
    while true {
      list.append(try value(depth: depth + 1))
      if try ends(with: UInt8(ascii: "]")) { return .list(list) }
    }
  }

  private mutating func object(_ depth: Int) throws(Problem) -> JSONValue {
    var members: [JSONValue.Member] = []
    place += 1
    if next == UInt8(ascii: "}") {
      place += 1
      return .object(members)
    }
    while true {
      guard next == UInt8(ascii: "\"") else { throw mistake }
      let name = try text()
      guard next == UInt8(ascii: ":") else { throw mistake }
      place += 1
      members.append(.init(name: name, value: try value(depth: depth + 1)))
      if try ends(with: UInt8(ascii: "}")) { return .object(members) }
    }
  }

  /// Reads a comma, or the end of a list or an object.
  private mutating func ends(with end: UInt8) throws(Problem) -> Bool {
    guard let byte = next, byte == end || byte == UInt8(ascii: ",") else { throw mistake }
    place += 1
    return byte == end
  }

  // Numbers

  private mutating func number() throws(Problem) -> Text {
    let start = place
    skip(UInt8(ascii: "-"))
    // No number has a leading zero.
    if !skip(UInt8(ascii: "0")) { try digits() }
    if skip(UInt8(ascii: ".")) { try digits() }
    if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
      if !skip(UInt8(ascii: "+")) { skip(UInt8(ascii: "-")) }
      try digits()
    }
    return Text(bytes[start..<place])
  }

  /// Skips a byte if it is next; returns whether it was.
  @discardableResult
  private mutating func skip(_ byte: UInt8) -> Bool {
    guard place < bytes.endIndex, bytes[place] == byte else { return false }
    place += 1
    return true
  }

  private mutating func digits() throws(Problem) {
    let start = place
    while place < bytes.endIndex, bytes[place].isASCIIDigit { place += 1 }
    guard place > start else { throw mistake }
  }

  // Texts

  private mutating func text() throws(Problem) -> Text {
    place += 1
    var text: [UInt8] = []
    while place < bytes.endIndex {
      let byte = bytes[place]
      switch byte {
      case UInt8(ascii: "\""):
        place += 1
        return Text(text)
      case UInt8(ascii: "\\"):
        place += 1
        try appendEscape(to: &text)
      case 0..<0x20: throw mistake
      default:
        text.append(byte)
        place += 1
      }
    }
    throw .endsEarly
  }

  private mutating func appendEscape(to text: inout [UInt8]) throws(Problem) {
    guard place < bytes.endIndex else { throw .endsEarly }
    let letter = bytes[place]
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
    case UInt8(ascii: "b"): text.append(8)
    case UInt8(ascii: "f"): text.append(12)
    case UInt8(ascii: "n"): text.append(10)
    case UInt8(ascii: "r"): text.append(13)
    case UInt8(ascii: "t"): text.append(9)
    case UInt8(ascii: "u"):
      place += 1
      try appendScalar(to: &text)
      return
    default: throw mistake
    }
    place += 1
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
      guard place < bytes.endIndex else { throw .endsEarly }
      let digit: UInt8
      switch bytes[place].lowercasedASCII {
      case let byte where byte.isASCIIDigit: digit = byte - UInt8(ascii: "0")
      case let byte where (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte):
        digit = byte - UInt8(ascii: "a") + 10
      default: throw mistake
      }
      value = value << 4 | UInt32(digit)
      place += 1
    }
    return value
  }
}
