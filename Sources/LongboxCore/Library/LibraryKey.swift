// Longbox
// SPDX-License-Identifier: MIT

/// The name of a register in a library, such as `favorite/comic/353`.
///
/// A key is any 1 to 200 bytes: one that this version does not know is kept and passed on all the same. What begins
/// with `local/` stays on the device and is not synced.
public struct LibraryKey: Equatable, Sendable {
  /// The bytes of the key.
  public let text: Text

  /// Makes a key of any bytes.
  /// - Throws: `LibraryError.keyLength`.
  public init(_ text: Text) throws(LibraryError) {
    guard !text.isEmpty, text.count <= LibraryLimits.keyLength else { throw .keyLength(text.count) }
    self.text = text
  }

  /// Makes a key of bytes whose number is known to be in bounds.
  init(known text: Text) {
    self.text = text
  }

  init(_ prefix: Text, _ number: Comic.Number) {
    self.init(known: prefix + Text(decimal: number.value))
  }

  /// The comic whose number follows a prefix, or nothing where the rest is no comic's number as we write it.
  func comic(after prefix: Text) -> Comic.Number? {
    let digits = Text(text.bytes.dropFirst(prefix.count))
    guard digits.bytes.first != UInt8(ascii: "0") else { return nil }
    return digits.number.flatMap { Comic.Number($0) }
  }

  /// Whether the register stays on its device.
  public var isLocal: Bool { text.starts(with: "local/") }
}

extension LibraryKey: Comparable {
  /// Orders by the bytes, as unsigned numbers; what is a prefix of another comes first.
  public static func < (left: LibraryKey, right: LibraryKey) -> Bool { left.text.precedes(right.text) }
}

extension Text {
  /// Whether the text comes before another in the order of their bytes.
  func precedes(_ other: Text) -> Bool {
    var index = bytes.startIndex
    var otherIndex = other.bytes.startIndex
    while index < bytes.endIndex, otherIndex < other.bytes.endIndex {
      if bytes[index] != other.bytes[otherIndex] { return bytes[index] < other.bytes[otherIndex] }
      index += 1
      otherIndex += 1
    }
    return otherIndex < other.bytes.endIndex
  }

  /// Whether the text begins with another.
  func starts(with prefix: Text) -> Bool {
    count >= prefix.count && bytes.prefix(prefix.count).elementsEqual(prefix.bytes)
  }
}
