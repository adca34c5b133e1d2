// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

/// The archive as it lies on the disk.
struct ArchiveFile: Sendable {
  /// What it is called in the data folder.
  static var name: String { "archive.lbx" }

  private let file: SegmentFile

  init(location: URL) {
    file = SegmentFile(location: location)
  }

  /// The archive, or nothing where there is none that can be used.
  func read() -> Archive? { file.read().flatMap { try? Archive($0) } }

  /// Removes the file, if there is one.
  func remove() { file.remove() }

  /// Puts an archive in the file's place, as one segment.
  /// - Throws: what the file system says.
  func write(_ archive: Archive) throws { try file.write(archive.compacted().segments[0]) }
}
