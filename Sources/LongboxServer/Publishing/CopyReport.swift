// Longbox
// SPDX-License-Identifier: MIT

/// The result of a run of ``StaticCopy``.
public struct CopyReport: Encodable, Equatable, Sendable {
  /// The files of one kind.
  public struct Part: Encodable, Equatable, Sendable {
    /// The number of files.
    public var files = 0
    /// Their size in bytes.
    public var bytes = 0
  }

  /// The number of comics.
  public var comics = 0
  /// The number of comics whose pages were rendered; the other pages are unchanged.
  public var made = 0
  /// The files by kind: pages, pictures, and so on.
  public var parts: [String: Part] = [:]
  /// The number of files that were written; the others are unchanged.
  public var written = 0
  /// Their size in bytes.
  public var writtenBytes = 0
  /// The number of files that were removed.
  public var removed = 0
  /// The number of files of the previous version, which open pages may still need; the next run removes them.
  public var retired = 0
  /// The number of pictures that belong to the copy, but aren't stored.
  public var missingPictures = 0

  /// All files.
  public var total: Part {
    parts.values.reduce(into: Part()) { total, part in
      total.files += part.files
      total.bytes += part.bytes
    }
  }
}
