// Longbox
// SPDX-License-Identifier: MIT

import Testing

@testable import LongboxCore

@Suite struct `A set of comics` {
  @Test func `contains exactly the comics that were added`() throws {
    let latest = try #require(Comic.Number(3282))
    let set = ComicSet(upTo: latest) { $0.value % 7 == 0 }
    for value in 1...3300 where value != 404 {
      let number = try #require(Comic.Number(value))
      #expect(set.contains(number) == (value % 7 == 0 && value <= 3282))
    }
  }
}
