// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import LongboxCore
import Testing

@testable import LongboxCatalog

@Suite("A picture on a canvas", .timeLimit(.minutes(10))) struct PictureCanvasTests {
  private let inspector = CatalogBench.inspector

  /// The facts of the file that a canvas gives.
  private func facts(of bytes: [UInt8], on canvas: PictureCanvas) async throws -> PictureFacts {
    try await inspector.facts(of: try await inspector.picture(bytes, on: canvas))
  }

  @Test(arguments: [
    // Both sides: exactly this size, whatever the proportions.
    (100, 50, 80, 48, 80, 48), (10, 500, 80, 48, 80, 48), (3, 2, 80, 48, 80, 48), (900, 1, 80, 48, 80, 48),
    // One side: the other follows.
    (100, 50, 80, 0, 80, 40), (100, 50, 0, 100, 200, 100), (10, 1000, 2048, 0, 20, 2048),
    // None: its own size, within the limit.
    (100, 50, 0, 0, 100, 50), (4096, 10, 0, 0, 2048, 5),
    // Beyond the limits.
    (100, 50, 9999, -1, 2048, 1),
  ])
  func `has the size that was asked for`(
    width: Int,
    height: Int,
    canvasWidth: Int,
    canvasHeight: Int,
    newWidth: Int,
    newHeight: Int
  ) async throws {
    let bytes = HandmadePicture.png(width, height) { x, _ in [UInt8(x & 0xFF), 0, 0] }
    let canvas = PictureCanvas(
      width: canvasWidth == 0 ? nil : canvasWidth,
      height: canvasHeight == 0 ? nil : canvasHeight
    )
    let facts = try await facts(of: bytes, on: canvas)
    #expect((facts.width, facts.height) == (newWidth, newHeight))
    #expect(facts.format == .png && facts.frames == 1 && !facts.isTransparent)
  }

  @Test(arguments: [2, 4, 8, 16, 256], [0, 40, 100, 128, 200, 255])
  func `is as light in few greys as in many`(greys: Int, lightness: Int) async throws {
    let grey = UInt8(lightness)
    let bytes = HandmadePicture.png(120, 90) { _, _ in [grey, grey, grey] }
    let facts = try await facts(of: bytes, on: PictureCanvas(width: 120, height: 90, greys: greys))
    #expect(abs(facts.lightness - lightness) <= 3)
    #expect(facts.colourPermille == 0)
  }

  @Test func `has the picture's colours unless greys are asked for`() async throws {
    let red = HandmadePicture.png(20, 20) { _, _ in [255, 0, 0] }
    #expect(try await facts(of: red, on: PictureCanvas(width: 20, height: 20)).colourPermille == 1000)
    let half = try await facts(of: red, on: PictureCanvas(width: 40, height: 20))
    #expect(abs(half.colourPermille - 500) <= 60, "White is on both sides.")
    #expect(try await facts(of: red, on: PictureCanvas(width: 40, height: 20, greys: 4)).colourPermille == 0)
  }

  @Test func `is white where the picture is transparent, and shows the first frame of an animation`()
    async throws
  {
    let clear = HandmadePicture.png(20, 20, colourType: 6) { _, _ in [0, 0, 0, 0] }
    #expect(try await facts(of: clear, on: PictureCanvas(width: 20, height: 20, greys: 2)).lightness == 255)
    let gif = HandmadePicture.gif(frames: [0, 1, 2])
    #expect(try await facts(of: gif, on: PictureCanvas()).lightness == 255)
  }

  @Test func `fails for what is no whole picture`() async throws {
    await #expect(throws: PictureError.foreign) {
      try await inspector.picture(Array("<html>".utf8), on: PictureCanvas())
    }
    let cut = Array(HandmadePicture.png(99, 99) { _, _ in [1, 2, 3] }.dropLast(5000))
    await #expect(
      performing: { try await inspector.picture(cut, on: PictureCanvas(width: 9, greys: 4)) },
      throws: { if case .damaged? = $0 as? PictureError { true } else { false } }
    )
  }
}
