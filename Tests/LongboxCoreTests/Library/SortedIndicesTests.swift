// Longbox
// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import LongboxCore

struct SortedIndicesTests {
  @Test(arguments: 0..<40)
  func `sorts like the standard library, and is stable`(count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    let values = (0..<count).map { _ in Int.random(in: 0..<max(1, count / 2), using: &random) }
    let expected = values.indices.sorted { (values[$0], $0) < (values[$1], $1) }
    #expect(sortedIndices(count) { values[$0] < values[$1] } == expected, "seed \(count)")
  }
}
