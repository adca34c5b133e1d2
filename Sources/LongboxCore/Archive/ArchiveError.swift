// Longbox
// SPDX-License-Identifier: MIT

/// Why bytes are no archive, or comics can't be made into one.
public enum ArchiveError: Error, Hashable, Sendable {
  /// The bytes do not begin as an archive does.
  case foreign
  /// An archive of a format that this version does not read.
  case unsupportedVersion(Int)
  /// There are fewer or more bytes than the header says.
  case wrongLength(expected: Int, found: Int)
  /// The checksum does not fit the bytes.
  case damaged
  /// The checksum fits, but a table points outside the file or its rows are out of order.
  case malformed
  /// A delta that builds on another revision than the archive has.
  case wrongBase(expected: Int, found: Int)
  /// A comic whose text or numbers are beyond what the format holds.
  case tooLarge(comic: Int)
  /// Two records with one number, or records out of order, were given to be written.
  case unordered(comic: Int)
}

#if !hasFeature(Embedded)
extension ArchiveError: CustomStringConvertible {
  /// A sentence for people.
  public var description: String {
    switch self {
    case .foreign: "This is not a Longbox archive."
    case .unsupportedVersion(let version):
      "This archive has format version \(version), which this version of Longbox does not read."
    case .wrongLength(let expected, let found):
      "The archive is cut or padded: it should have \(expected) bytes and has \(found)."
    case .damaged: "The archive is damaged: its checksum does not fit its bytes."
    case .malformed: "The archive is malformed: a table in it points outside the file or is out of order."
    case .wrongBase(let expected, let found):
      "The delta builds on revision \(found), but the archive is at revision \(expected)."
    case .tooLarge(let comic): "Comic \(comic) has more text than an archive can hold."
    case .unordered(let comic): "Comic \(comic) was given twice or out of order."
    }
  }
}
#endif
