// Longbox
// SPDX-License-Identifier: MIT

/// Numbers by chance that follow from a seed alone (SplitMix64), so that a quiz asks the same after it was kept and
/// read again.
struct QuizRandom {
  private var state: UInt64

  /// - Parameters:
  ///   - seed: the quiz's seed.
  ///   - stream: what the numbers are for; each has its own.
  init(seed: UInt64, stream: Int = 0) {
    state = seed ^ (UInt64(truncatingIfNeeded: stream) &* 0xD6E8_FEB8_6659_FD93)
  }

  /// A number from 0 up to a bound, which is greater than 0 and small: the bias is then too small to see.
  mutating func next(below bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return Int(truncatingIfNeeded: (mixed >> 33) % UInt64(max(bound, 1)))
  }

  /// Puts numbers in an order by chance (Fisher and Yates).
  mutating func shuffle(_ numbers: inout [Int]) {
    var place = numbers.count - 1
    while place > 0 {
      numbers.swapAt(place, next(below: place + 1))
      place -= 1
    }
  }
}
