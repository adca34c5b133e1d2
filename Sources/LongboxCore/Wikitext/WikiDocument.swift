// Longbox
// SPDX-License-Identifier: MIT

/// A text of the wiki, ready to be shown: a sequence of parts in a compact binary form that is read in place.
///
/// Wikitext is parsed where it arrives, natively; what is kept and sent to a reader's device is this, so that the
/// device needs no parser but only ``WikiParts``. Opening checks everything that walking relies on.
///
/// The form: the magic `LBW` and the version in a byte; 32 bits of the XXH64 of the rest, little-endian; then the
/// parts. A part is a code byte and its fields (see `WikiCode`); numbers are LEB128, texts a length and UTF-8.
public struct WikiDocument: Equatable, Sendable {
  /// The longest document, in bytes; explain xkcd's longest page makes about 350,000.
  public static var sizeLimit: Int { 4 << 20 }

  /// The deepest that elements stand inside each other.
  public static var depthLimit: Int { 128 }

  static var magic: [UInt8] { [0x4C, 0x42, 0x57, 1] }
  static var headerLength: Int { 8 }

  /// The whole document in its binary form.
  public let bytes: [UInt8]

  /// Opens a document that was stored or sent.
  /// - Parameter bytes: the whole document.
  /// - Throws: ``WikiDocumentError`` where the bytes are foreign, too long, damaged or malformed.
  public init(_ bytes: [UInt8]) throws(WikiDocumentError) {
    guard bytes.count >= Self.headerLength, bytes.starts(with: Self.magic) else { throw .foreign }
    guard bytes.count <= Self.sizeLimit else { throw .tooLong(limit: Self.sizeLimit) }
    guard bytes.span.bytes.word32(at: 4) == Self.checksum(of: bytes) else { throw .damaged }
    var parts = WikiParts(bytes, from: Self.headerLength)
    while try parts.read() != nil {}
    self.bytes = bytes
  }

  /// Makes a document of parts that a ``WikiDocumentWriter`` has written.
  init(parts: [UInt8]) {
    var bytes = Self.magic + [0, 0, 0, 0] + parts
    let checksum = Self.checksum(of: bytes)
    bytes.overwrite32(checksum, at: 4)
    self.bytes = bytes
  }

  /// A document that says nothing.
  public static var empty: WikiDocument { WikiDocument(parts: []) }

  /// Whether the document says nothing.
  public var isEmpty: Bool { bytes.count == Self.headerLength }

  /// The parts, from first to last.
  public var parts: WikiParts { WikiParts(bytes, from: Self.headerLength) }

  private static func checksum(of bytes: [UInt8]) -> UInt32 {
    let span = bytes.span.bytes
    return UInt32(truncatingIfNeeded: XXH64.hash(span.extracting(headerLength..<span.byteCount)))
  }
}

/// Why bytes are no document.
public enum WikiDocumentError: Error, Equatable, Sendable {
  /// The bytes do not begin as a document of this version does.
  case foreign
  /// There are more bytes than a document may have.
  case tooLong(limit: Int)
  /// The checksum does not fit the bytes.
  case damaged
  /// The checksum fits, but a part is cut off, unknown, out of range, or closes what is not open.
  case malformed
}

#if !hasFeature(Embedded)
extension WikiDocumentError: CustomStringConvertible {
  /// A sentence for people.
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
