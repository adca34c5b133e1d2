// Longbox
// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import LongboxCore

struct StemmerTests {
  private static func reduced(_ word: String) -> [UInt8] {
    var bytes = Array(word.utf8)
    Stemmer.reduce(&bytes)
    return bytes
  }

  private static func root(_ word: String) -> [UInt8] {
    var bytes = reduced(word)
    Stemmer.deriveRoot(&bytes)
    return bytes
  }

  @Test(
    arguments: [
      ["cat", "cats"], ["box", "boxes"], ["story", "stories"], ["glass", "glasses"],
      ["run", "running", "runs"],
      ["code", "coded", "coding", "codes"], ["stop", "stopped"], ["try", "tried", "tries", "trying"],
      ["call", "called", "calling"], ["colour", "color", "coloured", "colors"], ["labour", "labor"],
      ["organise", "organize", "organised", "organizing"], ["analyse", "analyzed"], ["centre", "center"],
      ["catalogue", "catalogs"], ["maths", "math"], ["pointer", "pointers"],
    ]
  )
  func `reduces forms of a word to the same stem`(forms: [String]) {
    #expect(
      Set(forms.map(Self.reduced)).count == 1,
      "\(forms.map { String(decoding: Self.reduced($0), as: UTF8.self) })"
    )
  }

  @Test(
    arguments: [
      ["thing", "think"], ["this", "thy"], ["bus", "bu"], ["news", "newt"], ["need", "ned"], ["sing", "s"],
      ["404", "40"],
      ["university", "universe"],
    ]
  )
  func `keeps other words apart`(words: [String]) {
    #expect(Set(words.map(Self.reduced)).count == words.count)
  }

  @Test(
    arguments: [
      ["introduce", "introduction"], ["politician", "politics", "political"], ["select", "selection"],
      ["randomness", "randomly"], ["physics", "physical"],
    ]
  )
  func `derives the same root`(words: [String]) {
    #expect(
      Set(words.map(Self.root)).count == 1,
      "\(words.map { String(decoding: Self.root($0), as: UTF8.self) })"
    )
  }

  @Test func `accepts any bytes`() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<20_000 {
      var word = (0..<Int.random(in: 0...9, using: &random)).map { _ in
        Array("aeisdngyulrtzbo".utf8).randomElement(using: &random) ?? 0xFF
      }
      let length = word.count
      Stemmer.reduce(&word)
      Stemmer.deriveRoot(&word)
      #expect(word.count <= length + 1)
      #expect(length == 0 || !word.isEmpty)
    }
  }
}

struct EditDistanceTests {
  /// The textbook's table, for comparison.
  private static func reference(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var table = Array(repeating: Array(repeating: 0, count: right.count + 1), count: left.count + 1)
    for row in 0...left.count {
      for column in 0...right.count {
        guard row > 0, column > 0 else {
          table[row][column] = row + column
          continue
        }
        var best = min(table[row - 1][column], table[row][column - 1]) + 1
        best = min(best, table[row - 1][column - 1] + (left[row - 1] == right[column - 1] ? 0 : 1))
        if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
          best = min(best, table[row - 2][column - 2] + 1)
        }
        table[row][column] = best
      }
    }
    return table[left.count][right.count]
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `finds in a dictionary what the textbook's table finds`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func word() -> [UInt8] {
      (0..<Int.random(in: 1...7, using: &random)).map { _ in UInt8.random(in: 97...99, using: &random) }
    }
    let dictionary = (0..<200).map { _ in word() }.sorted { $0.lexicographicallyPrecedes($1) }
    for limit in 1...2 {
      let wanted = word()
      var distance = EditDistance(to: wanted, limit: limit)
      var previous: [UInt8] = []
      var skipped = Int.max
      var found: [[UInt8]] = []
      for candidate in dictionary {
        let shared = zip(previous, candidate).prefix { $0 == $1 }.count
        if shared >= skipped { continue }
        skipped = .max
        previous = candidate
        switch distance.verdict(on: candidate, shared: shared) {
        case .near(let edits):
          #expect(edits == Self.reference(wanted, candidate), "seed \(seed)")
          found.append(candidate)
        case .far: break
        case .farFrom(let count): skipped = count
        }
      }
      #expect(
        found == dictionary.filter { Self.reference(wanted, $0) <= limit },
        "seed \(seed), limit \(limit)"
      )
    }
  }
}
