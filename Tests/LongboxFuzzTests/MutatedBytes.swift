// Longbox
// SPDX-License-Identifier: MIT

import TestSupport

/// Changes bytes at random, as a fuzzer does: it flips, overwrites, inserts, removes, repeats and joins them.
struct MutatedBytes {
  private static let odd: [[UInt8]] = [
    [0], [0xFF], [0x7F], [0x80], [0xFF, 0xFF, 0xFF, 0xFF], [0xFF, 0xFF, 0xFF, 0x7F], [0, 0, 0, 0x80],
    Array(repeating: 0xFF, count: 9) + [1], Array("\r\n".utf8), Array("<".utf8), Array("{{".utf8),
    Array("|}".utf8),
    Array("[[".utf8), Array("&#x".utf8), Array("%00".utf8), Array("404".utf8), Array("-1".utf8),
    Array("1e999".utf8),
    Array("null".utf8), Array("\u{202E}".utf8), [0xE2, 0x80], [0xC0, 0x80], Array("\"".utf8),
    Array("'''".utf8),
  ]

  private let seeds: [[UInt8]]
  private let longest: Int

  /// - Parameters:
  ///   - seeds: the bytes to begin with.
  ///   - longest: the maximum length of a result.
  init(of seeds: [[UInt8]], upTo longest: Int = 16 << 10) {
    self.seeds = seeds
    self.longest = longest
  }

  /// The next input.
  func next(using dice: inout SeededGenerator) -> [UInt8] {
    var bytes = seeds.randomElement(using: &dice) ?? []
    for _ in 0..<Int.random(in: 1...8, using: &dice) { change(&bytes, using: &dice) }
    return Array(bytes.prefix(longest))
  }

  private func change(_ bytes: inout [UInt8], using dice: inout SeededGenerator) {
    let place = Int.random(in: 0...bytes.count, using: &dice)
    let length = min(Int.random(in: 0...16, using: &dice), bytes.count - place)
    switch Int.random(in: 0..<8, using: &dice) {
    case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
    case 1 where place < bytes.count: bytes[place] = .random(in: 0...255, using: &dice)
    case 2: bytes.removeSubrange(place..<(place + length))
    case 3: bytes.insert(contentsOf: Self.odd.randomElement(using: &dice) ?? [], at: place)
    case 4:
      let odd = Self.odd.randomElement(using: &dice) ?? []
      bytes.replaceSubrange(place..<min(place + odd.count, bytes.count), with: odd)
    case 5: bytes.insert(contentsOf: bytes[place..<(place + length)], at: place)
    case 6:
      let other = seeds.randomElement(using: &dice) ?? []
      bytes = Array(bytes[..<place]) + other.dropFirst(Int.random(in: 0...other.count, using: &dice))
    default:
      // Many times the same, which shows what takes too long or nests too deeply.
      let part = bytes[place..<(place + length)]
      for _ in 0..<Int.random(in: 1...64, using: &dice) { bytes.insert(contentsOf: part, at: place) }
    }
  }
}
