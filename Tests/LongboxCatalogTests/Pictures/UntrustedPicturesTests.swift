// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxCore
import LongboxStore
import TestSupport
import Testing

@testable import LongboxCatalog

@Suite("Inspecting damaged and foreign files", .timeLimit(.minutes(10))) struct UntrustedPicturesTests {
  let inspector = CatalogBench.inspector

  private func limited(_ change: (inout PictureInspector.Limits) -> Void) -> PictureInspector {
    var limits = PictureInspector.Limits()
    change(&limits)
    return PictureInspector(limits: limits, logger: .silent)
  }

  @Test(arguments: [
    [], [0x89], Array("<!DOCTYPE html><html><body>Not Found</body></html>".utf8), Array("GIF".utf8),
    Array("GIF88a".utf8), Array("%PDF-1.4".utf8), Array("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8),
    [UInt8](repeating: 0, count: 999),
    Array("II*\u{0}\u{8}\u{0}\u{0}\u{0}".utf8), Array("P6 1 1 255 abc".utf8),
    Array("RIFF\u{0}\u{0}\u{0}\u{0}WEBPVP8 ".utf8),
  ])
  func `rejects what is not a PNG, JPEG or GIF`(bytes: [UInt8]) async {
    await #expect(throws: PictureError.foreign) { try await inspector.facts(of: bytes) }
    await #expect(throws: PictureError.foreign) { try await inspector.inspect(bytes) }
  }

  @Test(arguments: [
    HandmadePicture.png(9, 9) { x, y in [UInt8(x), UInt8(y), 7] }, Pictures.png,
    HandmadePicture.jpeg(orientation: 6), Pictures.jpeg, HandmadePicture.gif(frames: [0]),
    HandmadePicture.gif(frames: [0, 1, 2]), Pictures.gif,
  ])
  func `rejects files that are cut off anywhere`(whole: [UInt8]) async throws {
    #expect(try await inspector.facts(of: whole).width > 0)
    // The last twelve bytes of a PNG only say that it ends. Without them, all its pixels are there.
    let end = try PictureHeader.format(of: whole) == .png ? whole.count - 12 : whole.count
    for count in 0..<end {
      await #expect(throws: PictureError.self, "cut at \(count)") {
        try await inspector.facts(of: Array(whole.prefix(count)))
      }
    }
  }

  @Test(arguments: [Pictures.png, Pictures.jpeg, Pictures.gif])
  func `accepts further bytes after a picture, as browsers do`(whole: [UInt8]) async throws {
    #expect(try await inspector.facts(of: whole + [1, 2, 3]).width == inspector.facts(of: whole).width)
  }

  @Test func `rejects a PNG if any bit of it differs`() async {
    for bit in 0..<(Pictures.png.count - 12) * 8 {
      var bytes = Pictures.png
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      await #expect(throws: PictureError.self, "bit \(bit)") { try await inspector.facts(of: bytes) }
    }
  }

  @Test func `rejects pictures without pixels`() async {
    let emptyGIF = Array("GIF89a".utf8) + [5, 0, 4, 0, 0, 0, 0, 0x3B]
    let emptyJPEG: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]
    let emptyPNG = Array(Pictures.png[..<33]) + Array(Pictures.png.suffix(12))
    for bytes in [emptyGIF, emptyJPEG, emptyPNG] {
      await #expect(throws: PictureError.self, "\(bytes)") { try await inspector.facts(of: bytes) }
    }
  }

  @Test func `says why a file is damaged`() async throws {
    let error = await #expect(throws: PictureError.self) {
      try await inspector.facts(of: Array(HandmadePicture.jpeg(orientation: 1).prefix(60)))
    }
    guard case .damaged(let reason) = error else {
      Issue.record("thrown: \(String(describing: error))")
      return
    }
    #expect(!reason.isEmpty && !reason.contains("\n"))
  }

  @Test func `decodes nothing of a picture with too many pixels`() async {
    let bomb = HandmadePicture.bomb(50_000, 50_000)
    let expected = PictureError.tooManyPixels(width: 50_000, height: 50_000, limit: 50_000_000)
    await #expect(throws: expected) { try await inspector.facts(of: bomb) }
    await #expect(throws: expected) { try await inspector.inspect(bomb) }
  }

  @Test func `gives up a picture that takes too long, and decodes the next one`() async throws {
    let inspector = limited { $0.time = .milliseconds(500) }
    let bomb = HandmadePicture.deflateBomb(7_000, 7_000)
    #expect(bomb.count < 1_000_000)
    await #expect(throws: PictureError.undecodable(reason: "decoding it takes too long")) {
      try await inspector.inspect(bomb)
    }
    // On a busy machine, even a good picture may take too long at first.
    await eventually { (try? await inspector.facts(of: Pictures.gif))?.frames == 2 }
  }

  @Test func `accepts pixels and bytes up to the limits, and not one more`() async throws {
    let bytes = HandmadePicture.png(10, 10) { _, _ in [1, 2, 3] }
    #expect(try await inspector.facts(of: bytes, pixelLimit: 100).width == 10)
    await #expect(throws: PictureError.tooManyPixels(width: 10, height: 10, limit: 99)) {
      try await inspector.facts(of: bytes, pixelLimit: 99)
    }
    #expect(try await limited { $0.bytes = bytes.count }.facts(of: bytes).width == 10)
    await #expect(throws: PictureError.tooManyBytes(count: bytes.count, limit: bytes.count - 1)) {
      try await limited { $0.bytes = bytes.count - 1 }.facts(of: bytes)
    }
  }

  /// Random overwritten bytes lead to facts or an error, and end no process.
  @Test(arguments: [11, 12, 13] as [UInt64])
  func `survives random bytes in a file`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let inspector = limited { $0.picturesPerProcess = 1_000 }
    _ = try await inspector.facts(of: Pictures.png)
    let process = await inspector.processIdentifier
    let whole = [
      HandmadePicture.png(40, 40) { x, y in [UInt8(x), UInt8(y), 7] }, HandmadePicture.jpeg(orientation: 6),
      HandmadePicture.gif(frames: [0, 1, 2, 3]), Pictures.jpeg, Pictures.gif,
    ]
    var rejected = 0
    for _ in 0..<300 {
      var bytes = whole[Int.random(in: whole.indices, using: &random)]
      for _ in 0...Int.random(in: 0..<4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      do {
        let facts = try await inspector.facts(of: bytes)
        #expect(facts.width > 0 && facts.height > 0 && (0...255).contains(facts.lightness), "seed \(seed)")
      } catch {
        rejected += 1
      }
    }
    #expect(rejected > 0, "seed \(seed)")
    #expect(await inspector.processIdentifier == process, "seed \(seed)")
  }
}

@Suite("A picture's header") struct PictureHeaderTests {
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

@Suite(
  "All recorded pictures",
  .enabled(if: RecordedData.isPresent, "needs the recorded data that LONGBOX_SHARED names")
)
struct RecordedPicturesTests {
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
