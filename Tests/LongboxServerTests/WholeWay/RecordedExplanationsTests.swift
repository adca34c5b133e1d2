// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import LongboxCore
import TestSupport
import Testing

@testable import LongboxCatalog

/// The real pages are not part of the repository: a plain clone skips this suite.
@Suite(
  "The longest recorded explanations the whole way",
  .timeLimit(.minutes(10)),
  .enabled(if: RecordedData.isPresent, "no recorded data: set LONGBOX_SHARED to the folder above data/")
)
struct RecordedExplanationsTests {
  /// Pages of 273 and 99 kilobytes, and words in their explanations.
  @Test(arguments: [(1608, "platforming minigame Marty"), (1663, "garden")])
  func `are fetched, shown and found`(number: Int, words: String) async throws {
    let data = try #require(RecordedData.folder)
    try await withReplay(of: data) { bench async throws in
      #expect(try await bench.get("/\(number)/").status == .ok)
      let page = try await bench.get("/\(number)/explanation")
      #expect(page.status == .ok)
      #expect(page.bytes.count > 10_000)
      for markup in ["{{", "[[", "''", "{|", "<script"] {
        let article = page.text.components(separatedBy: "<article").dropFirst().joined()
        #expect(!article.contains(markup), "\(markup)")
      }
      #expect(page.text.contains("CC BY-SA 3.0"))
      let one = try await bench.get("/explanations/\(number)")
      #expect(one.status == .ok && one.bytes.count > 10_000)
      try await bench.catalog.comics.publisher.updateIndex()
      let query = words.replacingOccurrences(of: " ", with: "+")
      let found = try await bench.get("/search?q=\(query)&deep=1")
      #expect(found.text.contains("href=\"/\(number)/?in=deep-"))
    }
  }
}
