// Longbox
// SPDX-License-Identifier: MIT

/// The name of a register in a library, such as `favorite/comic/353`.
///
/// A key is 1 to 200 bytes of any content; unknown keys are kept and synced. Keys that begin with `local/`
/// stay on the device.
public struct LibraryKey: Equatable, Sendable {
  /// The bytes of the key.
  public let text: Text

  /// Creates a key from any bytes.
  /// - Throws: `LibraryError.keyLength`.
  public init(_ text: Text) throws(LibraryError) {
    guard !text.isEmpty, text.count <= LibraryLimits.keyLength else { throw .keyLength(text.count) }
    self.text = text
  }

  /// Creates a key whose length is known to be valid.
  init(known text: Text) {
    self.text = text
  }

  init(_ prefix: Text, _ number: Comic.Number) {
    self.init(known: prefix + Text(decimal: number.value))
  }

  /// The comic whose number follows a prefix; nil if the rest isn't a number without leading zeros.
  func comic(after prefix: Text) -> Comic.Number? {
    let digits = Text(text.bytes.dropFirst(prefix.count))
    guard digits.bytes.first != UInt8(ascii: "0") else { return nil }
    return digits.number.flatMap { Comic.Number($0) }
  }

  /// Whether the register is not synced.
  public var isLocal: Bool { text.starts(with: "local/") }
}

extension LibraryKey: Comparable {
  /// Orders by unsigned bytes; a prefix comes before longer keys.
  public static func < (left: LibraryKey, right: LibraryKey) -> Bool { left.text.precedes(right.text) }
}

extension Text {
  /// Whether the text comes before another in byte order.
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

  func starts(with prefix: Text) -> Bool {
    count >= prefix.count && bytes.prefix(prefix.count).elementsEqual(prefix.bytes)
  }
}
