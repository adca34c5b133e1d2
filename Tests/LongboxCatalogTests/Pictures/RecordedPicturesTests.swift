// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxCore
import LongboxStore
import Testing
import TestSupport

@testable import LongboxCatalog

@Suite(.enabled(if: RecordedData.isPresent, "needs the recorded data that LONGBOX_SHARED names"))
struct `All recorded pictures` {
  /// The index entry of a recorded picture, made with another decoder (Pillow).
  struct Entry: Decodable {
    let file: String
    let width: Int
    let height: Int
    let bytes: Int
    let format: String
    let frames: Int
  }

  @Test func `are whole unless cut, and have the size, frames, transparency and lightness that Pillow finds`()
    async throws
  {
    let folder = try #require(RecordedData.folder).appending(path: "xkcd")
    let index = try JSONDecoder().decode(
      [String: Entry].self,
      from: Data(contentsOf: folder.appending(path: "images.json"))
    )
    var transparent: Set<Int> = []
    var dark: Set<Int> = []
    for (key, entry) in index {
      let number = try #require(Int(key))
      let bytes = try [UInt8](Data(contentsOf: folder.appending(path: entry.file)))
      let facts = try await CatalogBench.inspector.facts(of: bytes)
      // Pillow's size is from before the EXIF rotation; comic 104 is rotated by a half turn.
      let isTurned = [62, 63, 76, 80].contains(number)
      #expect(facts.width == (isTurned ? entry.height : entry.width), "\(number)")
      #expect(facts.height == (isTurned ? entry.width : entry.height), "\(number)")
      #expect(facts.byteCount == entry.bytes, "\(number)")
      #expect(facts.frames == entry.frames, "\(number)")
      #expect("\(facts.format)" == entry.format, "\(number)")
      await #expect(throws: PictureError.self, "\(number), cut") {
        try await CatalogBench.inspector.facts(of: Array(bytes.prefix(bytes.count * 9 / 10)))
      }
      if facts.isTransparent { transparent.insert(number) }
      if facts.lightness < 160 { dark.insert(number) }
    }
    #expect(transparent == Set([383, 1110].filter { index["\($0)"] != nil }))
    #expect(dark.isSuperset(of: [66, 375, 961, 1005].filter { index["\($0)"] != nil }))
    #expect(!dark.contains(353))
    print("looked into \(index.count) recorded pictures: \(dark.count) dark")
  }
}
