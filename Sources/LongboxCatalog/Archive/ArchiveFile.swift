// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

/// The archive as it lies on the disk, so that a start need not decode all records again.
///
/// It is a copy of what the store holds: where it is missing, damaged or old, it is made anew, and nothing is lost.
struct ArchiveFile: Sendable {
  /// What it is called in the data folder.
  static var name: String { "archive.lbx" }

  let location: URL

  /// The archive, or nothing where there is none that can be used.
  func read() -> Archive? {
    guard
      let data = try? Data(contentsOf: location),
      let segment = try? Segment([UInt8](data)),
      let archive = try? Archive(segment),
      archive.rules == DecodingRules.version
    else { return nil }
    return archive
  }

  /// Removes the file, if there is one.
  func remove() {
    try? FileManager.default.removeItem(at: location)
  }

  /// Puts an archive of one segment in the file's place, whole or not at all.
  /// - Throws: what the file system says.
  func write(_ archive: Archive) throws {
    let whole = try archive.compacted()
    try Data(whole.segments[0].bytes).write(to: location, options: .atomic)
  }
}
