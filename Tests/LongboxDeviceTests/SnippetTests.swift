// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

@testable import LongboxDevice

@Suite struct SnippetTests {
  private static let need = HostNeed(kind: 12, key: "2")
  private static let ask = Ask("/search", query: "q=quaggas&deep=1")

  /// A device whose index has the words of the second comic's explanation.
  private static func bench() throws -> DeviceBench {
    let bench = try DeviceBench.opened()
    var writer = SegmentWriter()
    let number = try #require(Comic.Number(2))
    writer.explanationIndex = SearchIndexWriter.index(ofExplanations: [
      (number, "A quagga is a kind of zebra." as Text)
    ])
    #expect(bench.perform(.explanations, try writer.finish(.init(revision: 1))) == [])
    return bench
  }

  @Test func `is cut from the host's text, after one more round`() throws {
    let bench = try Self.bench()
    bench.table[Self.need] = .text("A quagga is a kind of zebra.")
    let page = try bench.answer(to: Self.ask).page
    #expect(bench.asked == [Self.need] && bench.rounds == 2)
    #expect(page.contains("A <mark>quagga</mark> is a kind of zebra."))
  }

  @Test func `is replaced by a note where the host has no text`() throws {
    let bench = try Self.bench()
    let page = try bench.answer(to: Self.ask).page
    #expect(bench.asked == [Self.need] && bench.rounds == 2)
    #expect(page.contains("In the explanation"))
  }

  @Test func `is shown below a search of titles, too`() throws {
    let bench = try Self.bench()
    bench.table[Self.need] = .text("A quagga is a kind of zebra.")
    let page = try bench.answer(to: Ask("/search", query: "q=quaggas&form=1")).page
    #expect(page.contains(">Not in titles.<"))
    #expect(page.contains("A <mark>quagga</mark> is a kind of zebra."))
  }
}
