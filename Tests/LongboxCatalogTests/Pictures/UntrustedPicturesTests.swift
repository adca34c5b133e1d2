// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import LongboxCore
import Testing

@testable import LongboxCatalog

@Suite struct `Inspecting damaged and foreign files` {
  let inspector = PictureInspector()

  @Test(arguments: [
    [], [0x89], Array("<!DOCTYPE html><html><body>Not Found</body></html>".utf8), Array("GIF".utf8),
    Array("%PDF-1.4".utf8), Array("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8),
    [UInt8](repeating: 0, count: 999),
    Array("RIFF\u{0}\u{0}\u{0}\u{0}WEBPVP8 ".utf8),
  ])
  func `rejects what is not a PNG, JPEG or GIF`(bytes: [UInt8]) {
    #expect(throws: PictureError.foreign) { try inspector.facts(of: bytes) }
    #expect(throws: PictureError.foreign) { try inspector.thumbnail(of: bytes) }
  }

  @Test func `rejects truncated files`() throws {
    let png = HandmadePicture.png(40, 40) { x, y in [UInt8(x), UInt8(y), 7] }
    let pixelsEnd = png.count - 16
    for count in stride(from: 8, to: pixelsEnd, by: 97) {
      #expect(throws: PictureError.self, "PNG cut at \(count)") {
        try inspector.facts(of: Array(png.prefix(count)))
      }
    }
    let jpeg = HandmadePicture.jpeg(orientation: 6)
    for count in 3..<(jpeg.count - 3) {
      #expect(throws: PictureError.self, "JPEG cut at \(count)") {
        try inspector.facts(of: Array(jpeg.prefix(count)))
      }
    }
    let gif = HandmadePicture.gif(frames: [0])
    for count in 6..<(gif.count - 6) {
      #expect(throws: PictureError.self, "GIF cut at \(count)") {
        try inspector.facts(of: Array(gif.prefix(count)))
      }
    }
  }

  @Test func `says why a file is damaged`() throws {
    let error = #expect(throws: PictureError.self) {
      try inspector.facts(of: Array(HandmadePicture.jpeg(orientation: 1).prefix(60)))
    }
    guard case .damaged(let reason) = error else {
      Issue.record("told as: \(String(describing: error))")
      return
    }
    #expect(!reason.isEmpty && !reason.contains("\n"))
  }

  @Test func `decodes nothing of a picture with too many pixels`() {
    let bomb = HandmadePicture.bomb(50_000, 50_000)
    let expected = PictureError.tooManyPixels(width: 50_000, height: 50_000, limit: 50_000_000)
    #expect(throws: expected) { try inspector.facts(of: bomb) }
    #expect(throws: expected) { try inspector.thumbnail(of: bomb) }
  }

  @Test func `accepts pixels and bytes up to the limits, and not one more`() throws {
    let bytes = HandmadePicture.png(10, 10) { _, _ in [1, 2, 3] }
    #expect(try PictureInspector(pixelLimit: 100).facts(of: bytes).width == 10)
    #expect(throws: PictureError.tooManyPixels(width: 10, height: 10, limit: 99)) {
      try PictureInspector(pixelLimit: 99).facts(of: bytes)
    }
    #expect(try PictureInspector(byteLimit: bytes.count).facts(of: bytes).width == 10)
    #expect(throws: PictureError.tooManyBytes(count: bytes.count, limit: bytes.count - 1)) {
      try PictureInspector(byteLimit: bytes.count - 1).facts(of: bytes)
    }
  }

  /// Random overwritten bytes lead to facts or an error.
  @Test(arguments: [11, 12, 13] as [UInt64])
  func `survives random bytes in a file`(seed: UInt64) throws {
    var state = seed
    func next(below bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let whole = [
      HandmadePicture.png(40, 40) { x, y in [UInt8(x), UInt8(y), 7] }, HandmadePicture.jpeg(orientation: 6),
      HandmadePicture.gif(frames: [0, 1, 2, 3]),
    ]
    var refused = 0
    for _ in 0..<300 {
      var bytes = whole[next(below: whole.count)]
      for _ in 0...next(below: 4) { bytes[next(below: bytes.count)] = UInt8(next(below: 256)) }
      do {
        let facts = try inspector.facts(of: bytes)
        #expect(facts.width > 0 && facts.height > 0 && (0...255).contains(facts.lightness), "seed \(seed)")
      } catch {
        refused += 1
      }
    }
    #expect(refused > 0, "seed \(seed)")
  }
}
