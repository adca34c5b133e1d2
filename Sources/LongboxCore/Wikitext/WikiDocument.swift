// Longbox
// SPDX-License-Identifier: MIT

/// A wiki text ready for rendering: a sequence of parts in a compact binary form that is read in place.
///
/// The server parses wikitext when it arrives, and sends this form, so that a device needs no parser. Opening
/// validates everything that iteration relies on.
///
/// The form: the magic `LBW` and a version byte; 32 bits of the XXH64 of the rest, little-endian; then the
/// parts. A part is a code byte and its fields (see `WikiCode`). Numbers are LEB128, texts a length and
/// UTF-8.
public struct WikiDocument: Equatable, Sendable {
  /// The maximum length in bytes; explain xkcd's longest page takes about 350,000.
  public static var sizeLimit: Int { 4 << 20 }

  /// The maximum nesting of elements.
  public static var depthLimit: Int { 128 }

  static var magic: [UInt8] { [0x4C, 0x42, 0x57, 1] }
  static var headerLength: Int { 8 }

  /// The document in its binary form.
  public let bytes: [UInt8]

  /// Opens a stored or received document.
  /// - Parameter bytes: the whole document.
  /// - Throws: ``WikiDocumentError`` if the bytes are not a valid document.
  public init(_ bytes: [UInt8]) throws(WikiDocumentError) {
    guard bytes.count >= Self.headerLength, bytes.starts(with: Self.magic) else { throw .foreign }
    guard bytes.count <= Self.sizeLimit else { throw .tooLong(limit: Self.sizeLimit) }
    guard bytes.span.bytes.word32(at: 4) == Self.checksum(of: bytes) else { throw .damaged }
    var parts = WikiParts(bytes, from: Self.headerLength)
    while try parts.read() != nil {}
    self.bytes = bytes
  }

  /// Creates a document from parts that a ``WikiDocumentWriter`` wrote.
  init(parts: [UInt8]) {
    var bytes = Self.magic + [0, 0, 0, 0] + parts
    let checksum = Self.checksum(of: bytes)
    bytes.overwrite32(checksum, at: 4)
    self.bytes = bytes
  }

  /// The empty document.
  public static var empty: WikiDocument { WikiDocument(parts: []) }

  /// Whether the document is empty.
  public var isEmpty: Bool { bytes.count == Self.headerLength }

  /// The parts in order.
  public var parts: WikiParts { WikiParts(bytes, from: Self.headerLength) }

  private static func checksum(of bytes: [UInt8]) -> UInt32 {
    let span = bytes.span.bytes
    return UInt32(truncatingIfNeeded: XXH64.hash(span.extracting(headerLength..<span.byteCount)))
  }
}

/// An error in opening a document.
public enum WikiDocumentError: Error, Equatable, Sendable {
  /// The bytes don't begin with this version's magic number.
  case foreign
  /// The document is too long.
  case tooLong(limit: Int)
  /// The checksum doesn't match.
  case damaged
  /// The checksum matches, but a part is cut off, unknown, out of range, or closes nothing.
  case malformed
}

#if !hasFeature(Embedded)
extension WikiDocumentError: CustomStringConvertible {
  /// A message for people.
  public var description: String {
    switch self {
    case .foreign: "This is not a text that this version of Longbox can read."
    case .tooLong(let limit): "The text is longer than \(limit) bytes."
    case .damaged: "The text is damaged: its checksum does not fit its bytes."
    case .malformed: "The text is malformed: its parts do not fit together."
    }
  }
}
#endif
