// Longbox
// SPDX-License-Identifier: MIT

/// An error in editing, encoding or decoding a library.
public enum LibraryError: Error, Hashable, Sendable {
  /// The key is empty or longer than ``LibraryLimits/keyLength`` bytes.
  case keyLength(Int)
  /// The value is longer than ``LibraryLimits/valueLength`` bytes.
  case valueTooLong(Int)
  /// The note is longer than ``LibraryLimits/noteLength`` bytes.
  case noteTooLong(Int)
  /// The name or kind of something to save is empty, or the kind has a slash.
  case savedName
  /// The library would exceed ``LibraryLimits``.
  case full
  /// The entries are out of order or share a key.
  case unordered
  /// The bytes don't begin with the magic number.
  case foreign
  /// This version doesn't read the format version.
  case unsupportedVersion(Int)
  /// The bytes are of another kind, such as a request instead of a reply.
  case unexpectedKind(Int)
  /// The number of bytes differs from the length in the header.
  case wrongLength(expected: Int, found: Int)
  /// The checksum doesn't match.
  case damaged
  /// The checksum matches, but the content is invalid.
  case malformed
}

#if !hasFeature(Embedded)
extension LibraryError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .keyLength(let length):
      "A key of a library has 1 to \(LibraryLimits.keyLength) bytes; this one has \(length)."
    case .valueTooLong(let length):
      "A value of a library has at most \(LibraryLimits.valueLength) bytes; this one has \(length)."
    case .noteTooLong: "A note has at most \(LibraryLimits.noteCharacters) characters. Please shorten it."
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

/// The limits of a library.
///
/// Both sides of a sync enforce them, so each can read what the other writes.
public enum LibraryLimits {
  /// The maximum bytes of a key.
  public static var keyLength: Int { 200 }
  /// The maximum bytes of a value.
  public static var valueLength: Int { 4096 }
  /// The maximum characters of a favorite's note, as browsers count them: in UTF-16 code units.
  public static var noteCharacters: Int { 500 }
  /// The maximum bytes of a favorite's note in UTF-8: three for each character.
  public static var noteLength: Int { 3 * noteCharacters }
  /// The maximum number of entries, including removals.
  public static var entryCount: Int { 100_000 }
  /// The maximum bytes of all keys and values: 8 MiB.
  public static var size: Int { 8 << 20 }
  /// The maximum bytes of an encoding: the content and at most 48 bytes of overhead per entry; 12.6 MiB.
  public static var encodedLength: Int { size + entryCount * 48 + 1024 }
}

/// Why a pairing link doesn't work.
public enum PairingRejection: Error, Equatable, CaseIterable {
  /// The server never issued the code, or has restarted since.
  case unknown
  /// The code is older than ten minutes.
  case expired
  /// A device was already paired with the code.
  case used
  /// Too many wrong links were tried.
  case tooManyTries
  /// The merged library would exceed the limits.
  case full
}
