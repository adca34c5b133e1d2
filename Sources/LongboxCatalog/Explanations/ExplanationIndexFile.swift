// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxStore

/// The index of explanations as it lies on the disk.
struct ExplanationIndexFile: Sendable {
  /// What it is called in the data folder.
  static var name: String { "explanations.lbx" }

  private let file: SegmentFile

  init(in folder: URL) {
    file = SegmentFile(location: folder.appending(path: Self.name))
  }

  /// The index, or nothing where there is none that can be used.
  /// - Parameter totals: what the store holds; an index of more than that was made of another database.
  func read(for totals: ExplanationTotals) -> ExplanationIndex? {
    guard
      let index = file.read().flatMap({ try? ExplanationIndex($0) }),
      !index.isSampleBox, index.revision <= totals.change, index.count <= totals.pages
    else { return nil }
    return index
  }

  /// Puts an index in the file's place, as one segment.
  /// - Throws: what the file system says.
  func write(_ index: ExplanationIndex) throws { try file.write(index.compacted().segments[0]) }
}
