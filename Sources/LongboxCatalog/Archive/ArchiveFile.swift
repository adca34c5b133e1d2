// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

struct ArchiveFile: Sendable {
  static var name: String { "archive.lbx" }

  private let file: SegmentFile

  init(location: URL) {
    file = SegmentFile(location: location)
  }

  func read() -> Archive? { file.read().flatMap { try? Archive($0) } }

  func remove() { file.remove() }

  /// Replaces the file with an archive, as one segment.
  func write(_ archive: Archive) throws { try file.write(archive.compacted().segments[0]) }
}
