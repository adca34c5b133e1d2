// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Reads mutated bytes; a crash ends the run.
///
/// `LONGBOX_FUZZ_SECONDS` (4) is the time for each target. The seed of the random numbers is printed;
/// `LONGBOX_FUZZ_SEED` repeats a run. `make fuzz` finds more.
@Suite("Untrusted bytes") struct FuzzTests {
  private static let settings = ProcessInfo.processInfo.environment

  @Test(arguments: FuzzTarget.allCases)
  func `never crash their reader`(target: FuzzTarget) throws {
    let seed = Self.settings["LONGBOX_FUZZ_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...UInt64.max)
    let seconds = Self.settings["LONGBOX_FUZZ_SECONDS"].flatMap { Int($0) } ?? 4
    print("Mutated bytes: \(target.rawValue), seed \(seed)")
    let seeds = target.seeds
    try #require(!seeds.isEmpty && !seeds.contains([]))
    for input in seeds { try target.run(input) }
    var dice = SeededGenerator(seed: seed)
    let mutated = MutatedBytes(of: seeds)
    let end = ContinuousClock.now + .seconds(seconds)
    var count = 0
    while ContinuousClock.now < end {
      let input = mutated.next(using: &dice)
      do throws(Finding) {
        try target.run(input)
      } catch {
        let sentence = "\(target.rawValue), seed \(seed), input \(count): \(error)"
        Issue.record("\(sentence)\n\(Data(input).base64EncodedString())")
        return
      }
      count += 1
    }
    print("Mutated bytes: \(target.rawValue), \(count) inputs")
  }
}
