// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import LongboxCore
import Testing
import TestSupport

@testable import LongboxCatalog

@Suite(.timeLimit(.minutes(10))) struct `Inspecting damaged and foreign files` {
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
