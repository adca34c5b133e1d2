// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxStore

/// A segment's file, for a faster start; a missing, damaged or outdated file is rebuilt from the store.
struct SegmentFile: Sendable {
  let location: URL

  func read() -> Segment? {
    guard
      let bytes = try? PrivateFile.read(location),
      let segment = try? Segment(bytes),
      segment.rules == DecodingRules.version
    else { return nil }
    return segment
  }

  func remove() {
    try? FileManager.default.removeItem(at: location)
  }

  /// Replaces the file atomically; only its owner may read it.
  func write(_ segment: Segment) throws {
    try PrivateFile.write(segment.bytes, to: location)
  }
}
