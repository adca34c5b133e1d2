// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

/// A segment as it lies on the disk, so that a start need not make it anew.
///
/// It is a copy of what the store holds: where it is missing, damaged or old, it is made anew, and nothing is lost.
struct SegmentFile: Sendable {
  let location: URL

  /// The segment, or nothing where there is none that can be used.
  func read() -> Segment? {
    guard
      let data = try? Data(contentsOf: location),
      let segment = try? Segment([UInt8](data)),
      segment.rules == DecodingRules.version
    else { return nil }
    return segment
  }

  /// Removes the file, if there is one.
  func remove() {
    try? FileManager.default.removeItem(at: location)
  }

  /// Puts a segment in the file's place, whole or not at all.
  /// - Throws: what the file system says.
  func write(_ segment: Segment) throws {
    try Data(segment.bytes).write(to: location, options: .atomic)
  }
}
