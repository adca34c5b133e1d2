// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxStore

struct ExplanationIndexFile: Sendable {
  static var name: String { "explanations.lbx" }

  private let file: SegmentFile

  init(in folder: URL) {
    file = SegmentFile(location: folder.appending(path: Self.name))
  }

  /// The index, or nil if there is no usable one.
  /// - Parameter totals: what the store holds. An index with more belongs to another database.
  func read(for totals: ExplanationTotals) -> ExplanationIndex? {
    guard
      let index = file.read().flatMap({ try? ExplanationIndex($0) }),
      !index.isSampleBox, index.revision <= totals.change, index.count <= totals.pages
    else { return nil }
    return index
  }

  /// Replaces the file with an index, as one segment.
  func write(_ index: ExplanationIndex) throws { try file.write(index.compacted().segments[0]) }
}
