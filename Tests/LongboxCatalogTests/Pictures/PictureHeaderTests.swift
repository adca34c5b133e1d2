// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import LongboxCore
import Testing
import TestSupport

@testable import LongboxCatalog

@Suite struct `A picture's header` {
  @Test(arguments: [
    (Pictures.png, PictureFacts.Format.png, 3, 2), (Pictures.jpeg, .jpeg, 9, 8), (Pictures.gif, .gif, 5, 4),
    (HandmadePicture.png(70_000, 1, colourType: 0) { _, _ in [0] }, .png, 70_000, 1),
  ])
  func `says format and size`(bytes: [UInt8], format: PictureFacts.Format, width: Int, height: Int) throws {
    let facts = try PictureHeader.facts(of: bytes)
    #expect(facts.format == format && facts.width == width && facts.height == height)
    #expect(facts.byteCount == bytes.count)
    #expect(!facts.isLineArt, "Dark pages show the picture as drawn, as long as its colours are unknown.")
  }

  @Test(arguments: [Pictures.png, Pictures.jpeg, Pictures.gif])
  func `is read in full or rejected, wherever the file is cut`(whole: [UInt8]) throws {
    let size = try PictureHeader.facts(of: whole)
    for count in whole.indices {
      guard let facts = try? PictureHeader.facts(of: Array(whole.prefix(count))) else { continue }
      #expect(facts.width == size.width && facts.height == size.height, "cut at \(count)")
    }
    #expect(throws: PictureError.self) { try PictureHeader.facts(of: Array(whole.prefix(9))) }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `with random bytes does not crash`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for whole in [Pictures.png, Pictures.jpeg, Pictures.gif] {
      for _ in 0..<200 {
        var bytes = whole
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
        }
        // A size and an error are both right: the test is that neither crashes.
        let facts = try? PictureHeader.facts(of: bytes)
        #expect(facts.map { $0.width > 0 && $0.height > 0 } ?? true, "seed \(seed)")
        try? GIFBlocks.check(bytes)
      }
    }
  }
}
