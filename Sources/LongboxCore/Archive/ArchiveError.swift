// Longbox
// SPDX-License-Identifier: MIT

/// An error in reading or writing an archive.
public enum ArchiveError: Error, Hashable, Sendable {
  /// The bytes don't begin with the archive's magic number.
  case foreign
  /// This version doesn't read the archive's format version.
  case unsupportedVersion(Int)
  /// The number of bytes differs from the length in the header.
  case wrongLength(expected: Int, found: Int)
  /// The checksum doesn't match.
  case damaged
  /// The checksum matches, but a table points outside the file or its rows are out of order.
  case malformed
  /// The delta builds on a revision other than the archive's.
  case wrongBase(expected: Int, found: Int)
  /// A comic exceeds the limits of the format.
  case tooLarge(comic: Int)
  /// Records to write are out of order or share a number.
  case unordered(comic: Int)
}

#if !hasFeature(Embedded)
extension ArchiveError: CustomStringConvertible {
  /// A message for people.
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
