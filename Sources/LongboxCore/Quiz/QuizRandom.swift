// Longbox
// SPDX-License-Identifier: MIT

/// A deterministic random number generator (SplitMix64), so that a decoded quiz asks the same questions.
struct QuizRandom {
  private var state: UInt64

  /// - Parameters:
  ///   - seed: the quiz's seed.
  ///   - stream: the purpose of the numbers; each purpose has its own stream.
  init(seed: UInt64, stream: Int = 0) {
    state = seed ^ (UInt64(truncatingIfNeeded: stream) &* 0xD6E8_FEB8_6659_FD93)
  }

  /// A random number from 0 up to a bound, which is positive and small enough to make the bias negligible.
  mutating func next(below bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return Int(truncatingIfNeeded: (mixed >> 33) % UInt64(max(bound, 1)))
  }

  /// Shuffles numbers (Fisher–Yates).
  mutating func shuffle(_ numbers: inout [Int]) {
    var place = numbers.count - 1
    while place > 0 {
      numbers.swapAt(place, next(below: place + 1))
      place -= 1
    }
  }
}
