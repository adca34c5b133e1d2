// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import LongboxServer

@Suite struct `Limits as settings` {
  @Test func `have a variable for each`() {
    #expect(Limit.all.map(\.variable).contains("LONGBOX_LIMITS_CONNECTIONS_PER_ADDRESS"))
    #expect(Set(Limit.all.map(\.variable)).count == Limit.all.count)
  }

  @Test(arguments: Limit.all.map(\.name)) func `are read`(name: String) throws {
    let limit = try #require(Limit.all.first { $0.name == name })
    var limits = Limits()
    #expect(limit.set("6", in: &limits))
    #expect(limit.text(in: limits) == "6")
    #expect(limits != Limits())
    let mayBeZero = limit.expected.hasSuffix("at least 0")
    for wrong in ["", "-1", "x", "1e30", "nan"] + (mayBeZero ? [] : ["0"]) {
      #expect(!limit.set(wrong, in: &limits), "\(wrong)")
    }
    #expect(limit.text(in: limits) == "6")
  }

  @Test func `take fractions of a second`() throws {
    let limit = try #require(Limit.all.first { $0.name == "headTime" })
    var limits = Limits()
    #expect(limit.set("0.5", in: &limits))
    #expect(limits.headTime == .milliseconds(500))
    #expect(limit.text(in: limits) == "0.5")
  }

  /// The table of docs/limits.md has a row `| NAME | DEFAULT | …` for each.
  @Test func `are described with their defaults`() throws {
    let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
    let text = try String(contentsOf: root.appending(path: "docs/limits.md"), encoding: .utf8)
    for limit in Limit.all {
      let row = "| `\(limit.variable)` | \(limit.text(in: Limits())) "
      #expect(text.contains(row), "docs/limits.md lacks “\(row)”")
    }
  }
}
