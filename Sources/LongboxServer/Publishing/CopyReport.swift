// Longbox
// SPDX-License-Identifier: MIT

/// What a run of ``StaticCopy`` did, and what the copy has now.
public struct CopyReport: Encodable, Equatable, Sendable {
  /// Some of the copy's files.
  public struct Part: Encodable, Equatable, Sendable {
    /// The number of files.
    public var files = 0
    /// Their size in bytes.
    public var bytes = 0
  }

  /// The number of comics.
  public var comics = 0
  /// The number of comics whose pages were made; those of the others are as the last run left them.
  public var made = 0
  /// The files by what they are: pages, pictures, and so on.
  public var parts: [String: Part] = [:]
  /// The number of files that were written; the others were there already.
  public var written = 0
  /// Their size in bytes.
  public var writtenBytes = 0
  /// The number of files that were removed.
  public var removed = 0
  /// The number of files of the version before, which its readers may still need; the next run removes them.
  public var retired = 0
  /// The number of pictures that the copy should have but that aren't stored.
  public var missingPictures = 0

  /// All files.
  public var total: Part {
    parts.values.reduce(into: Part()) { total, part in
      total.files += part.files
      total.bytes += part.bytes
    }
  }
}
