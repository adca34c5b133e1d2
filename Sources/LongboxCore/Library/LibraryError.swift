// Longbox
// SPDX-License-Identifier: MIT

/// Why something can't be kept in a library, or bytes are none.
public enum LibraryError: Error, Hashable, Sendable {
  /// A key without bytes, or with more than ``LibraryLimits/keyLength``.
  case keyLength(Int)
  /// A value with more bytes than ``LibraryLimits/valueLength``.
  case valueTooLong(Int)
  /// A note with more bytes than ``LibraryLimits/noteLength``.
  case noteTooLong(Int)
  /// Something saved whose name is empty, or whose kind is empty or has a slash.
  case savedName
  /// More entries or bytes than a library holds.
  case full
  /// Entries were given out of order, or two with one key.
  case unordered
  /// The bytes do not begin as those of a library do.
  case foreign
  /// Bytes of a format that this version does not read.
  case unsupportedVersion(Int)
  /// A library's bytes, but of another kind: a request where a reply was due.
  case unexpectedKind(Int)
  /// There are fewer or more bytes than the header says.
  case wrongLength(expected: Int, found: Int)
  /// The checksum does not fit the bytes.
  case damaged
  /// The checksum fits, but what it covers makes no sense.
  case malformed
}

#if !hasFeature(Embedded)
extension LibraryError: CustomStringConvertible {
  /// A sentence for people.
  public var description: String {
    switch self {
    case .keyLength(let length):
      "A key of a library has 1 to \(LibraryLimits.keyLength) bytes; this one has \(length)."
    case .valueTooLong(let length):
      "A value of a library has at most \(LibraryLimits.valueLength) bytes; this one has \(length)."
    case .noteTooLong(let length):
      "A note has at most \(LibraryLimits.noteLength) bytes; this one has \(length). Please shorten it."
    case .savedName: "What is saved needs a kind without a slash, and a name."
    case .full:
      "The library is full: it holds at most \(LibraryLimits.entryCount) entries in \(LibraryLimits.size) bytes."
    case .unordered: "The entries of a library were given twice or out of order."
    case .foreign: "This is not a Longbox library."
    case .unsupportedVersion(let version):
      "This library has format version \(version), which this version of Longbox does not read."
    case .unexpectedKind(let kind):
      "These bytes belong to a library, but are of kind \(kind), not what was due."
    case .wrongLength(let expected, let found):
      "The library is cut or padded: it should have \(expected) bytes and has \(found)."
    case .damaged: "The library is damaged: its checksum does not fit its bytes."
    case .malformed: "The library is malformed: its checksum fits, but its content makes no sense."
    }
  }
}
#endif
