// Longbox
// SPDX-License-Identifier: MIT

import LongboxStore
import Testing

@Suite struct `Numbers that others give` {
  @Test(
    arguments: [
      (0, 0), (1.9, 1), (-1.9, -1), (1e300, .max), (-1e300, .min), (.infinity, .max), (-.infinity, .min),
      (.nan, 0),
      (9_223_372_036_854_775_808, .max), (-9_223_372_036_854_775_808, .min),
    ] as [(Double, Int64)]
  )
  func `stay within the range`(number: Double, expected: Int64) {
    #expect(Int64(within: number) == expected)
    #expect(UInt64(within: number) >= 0)
    #expect(UInt8(within: number) == UInt8(clamping: expected))
  }

  @Test(arguments: [(1, 2, 3), (.max, 1, .max), (.min, -1, .min), (.max, -1, .max - 1)] as [(Int, Int, Int)])
  func `are added within the range`(one: Int, other: Int, sum: Int) {
    #expect(one.addingWithinRange(other) == sum)
  }
}
