// Longbox
// SPDX-License-Identifier: MIT

/// A wiki text ready for rendering: a sequence of parts in a compact binary form that is read in place.
///
/// A part is a code byte and its fields (see `WikiCode`). Numbers are LEB128, texts a length and UTF-8.
public struct WikiDocument: Equatable, Sendable {
  /// The parts in their binary form; explain xkcd's longest page takes about 350,000 bytes.
  public let bytes: [UInt8]

  /// Creates a document from parts that a ``WikiDocumentWriter`` wrote.
  init(parts: [UInt8]) {
    bytes = parts
  }

  /// The parts in order.
  public var parts: WikiParts { WikiParts(bytes) }
}
