// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import LongboxCore
import Testing

@testable import LongboxCatalog

@Suite("Inspecting pictures") struct PictureInspectorTests {
  let inspector = CatalogBench.inspector

  /// A picture and its expected facts.
  struct Example: CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let facts: PictureFacts

    init(_ name: String, _ bytes: [UInt8], _ facts: PictureFacts) {
      self.testDescription = name
      self.bytes = bytes
      self.facts = facts
      assert(facts.byteCount == bytes.count)
    }
  }

  private static func facts(
    _ width: Int,
    _ height: Int,
    _ bytes: [UInt8],
    _ format: PictureFacts.Format = .png,
    frames: Int = 1,
    isTransparent: Bool = false,
    colour: Int = 0,
    lightness: Int
  ) -> PictureFacts {
    PictureFacts(
      width: width,
      height: height,
      byteCount: bytes.count,
      frames: frames,
      format: format,
      isTransparent: isTransparent,
      colourPermille: colour,
      lightness: lightness
    )
  }

  private static func example(
    _ name: String,
    png: [UInt8],
    _ width: Int,
    _ height: Int,
    isTransparent: Bool = false,
    colour: Int = 0,
    lightness: Int
  ) -> Example {
    let facts = facts(
      width,
      height,
      png,
      isTransparent: isTransparent,
      colour: colour,
      lightness: lightness
    )
    return Example(name, png, facts)
  }

  static let pngs: [Example] = [
    example(
      "one white pixel",
      png: HandmadePicture.png(1, 1) { _, _ in [255, 255, 255] },
      1,
      1,
      lightness: 255
    ),
    example("one black pixel", png: HandmadePicture.png(1, 1) { _, _ in [0, 0, 0] }, 1, 1, lightness: 0),
    example(
      "grey with one channel",
      png: HandmadePicture.png(7, 3, colourType: 0) { _, _ in [100] },
      7,
      3,
      lightness: 100
    ),
    example(
      "grey of 16 bits",
      png: HandmadePicture.png(3, 3, colourType: 0, depth: 16) { _, _ in [255, 255] },
      3,
      3,
      lightness: 255
    ),
    example(
      "half of it red",
      png: HandmadePicture.png(4, 2) { x, _ in x < 2 ? [255, 0, 0] : [255, 255, 255] },
      4,
      2,
      colour: 500,
      lightness: 166
    ),
    example(
      "one red pixel of a thousand and one, rounded up",
      png: HandmadePicture.png(1001, 1) { x, _ in x == 0 ? [255, 0, 0] : [255, 255, 255] },
      1001,
      1,
      colour: 1,
      lightness: 255
    ),
    example(
      "a tint that is noise",
      png: HandmadePicture.png(8, 8) { _, _ in [232, 216, 200] },
      8,
      8,
      lightness: 219
    ),
    example(
      "a tint that is colour",
      png: HandmadePicture.png(8, 8) { _, _ in [233, 216, 200] },
      8,
      8,
      colour: 1000,
      lightness: 219
    ),
    example(
      "an alpha channel that hides nothing",
      png: HandmadePicture.png(2, 2, colourType: 6) { _, _ in [9, 9, 9, 255] },
      2,
      2,
      lightness: 9
    ),
    example(
      "an alpha channel of 16 bits that hides nothing",
      png: HandmadePicture.png(2, 2, colourType: 6, depth: 16) { _, _ in [0, 0, 0, 0, 0, 0, 255, 255] },
      2,
      2,
      lightness: 0
    ),
    example(
      "one pixel of it half transparent",
      png: HandmadePicture.png(2, 2, colourType: 6) { x, y in [0, 0, 0, x + y == 2 ? 127 : 255] },
      2,
      2,
      isTransparent: true,
      lightness: 32
    ),
    example(
      "grey, all of it transparent",
      png: HandmadePicture.png(2, 2, colourType: 4) { _, _ in [0, 0] },
      2,
      2,
      isTransparent: true,
      lightness: 255
    ),
    example(
      "transparent colour, which is invisible",
      png: HandmadePicture.png(2, 2, colourType: 6) { _, _ in [255, 0, 0, 0] },
      2,
      2,
      isTransparent: true,
      lightness: 255
    ),
    example(
      "more rows than are read at once",
      png: HandmadePicture.png(2, 100) { _, y in y == 99 ? [0, 0, 255] : [255, 255, 255] },
      2,
      100,
      colour: 10,
      lightness: 253
    ),
  ]

  @Test(arguments: pngs)
  func `finds the facts of a PNG that a page needs`(example: Example) async throws {
    #expect(try await inspector.facts(of: example.bytes) == example.facts)
  }

  @Test(arguments: [(1, 16, 8), (3, 16, 8), (6, 8, 16), (8, 8, 16)] as [(UInt8, Int, Int)])
  func `gives the size of a JPEG as it is displayed`(orientation: UInt8, width: Int, height: Int) async throws
  {
    let bytes = HandmadePicture.jpeg(orientation: orientation)
    let inspection = try await inspector.inspect(bytes)
    #expect(inspection.facts == Self.facts(width, height, bytes, .jpeg, lightness: 128))
    #expect(size(ofWebP: inspection.thumbnail) == [width, height])
  }

  @Test(
    arguments: [
      ([0], 255, 0, false), ([2, 1, 0], 0, 0, false), ([1, 2], 76, 1000, false), ([3, 0], 255, 0, true),
    ]
      as [([UInt8], Int, Int, Bool)]
  )
  func `counts the frames of a GIF, and inspects the first`(
    frames: [UInt8],
    lightness: Int,
    colour: Int,
    isTransparent: Bool
  ) async throws {
    let bytes = HandmadePicture.gif(frames: frames)
    let expected = Self.facts(
      2,
      1,
      bytes,
      .gif,
      frames: frames.count,
      isTransparent: isTransparent,
      colour: colour,
      lightness: lightness
    )
    #expect(try await inspector.facts(of: bytes) == expected)
  }

  @Test(arguments: [
    (100, 50, 100, 50), (320, 480, 320, 480), (640, 320, 320, 160), (700, 2100, 320, 480), (1, 900, 1, 480),
  ])
  func `makes thumbnails of at most 320 by 480 pixels`(width: Int, height: Int, small: Int, low: Int)
    async throws
  {
    let bytes = HandmadePicture.png(width, height, colourType: 0) { x, y in [UInt8((x ^ y) & 0xFF)] }
    #expect(try await size(ofWebP: inspector.inspect(bytes).thumbnail) == [small, low])
  }

  @Test func `finds the same facts with a thumbnail and without`() async throws {
    let bytes = HandmadePicture.png(640, 320) { x, y in [UInt8(x & 0xFF), UInt8(y & 0xFF), 0] }
    let inspection = try await inspector.inspect(bytes)
    #expect(try await inspector.facts(of: bytes) == inspection.facts)
  }

  @Test(arguments: [
    PictureError.foreign, .tooManyBytes(count: 9, limit: 8), .tooManyPixels(width: 9, height: 9, limit: 8),
    .damaged(reason: "cut"), .damaged(reason: ""), .undecodable(reason: "it takes too long"),
    .unavailable(reason: "no"), .cancelled,
  ])
  func `describes each error in a sentence`(error: PictureError) {
    #expect(error.description.hasPrefix("The "))
    #expect(error.description.hasSuffix("."))
  }

  /// The size in an extended WebP file (RFC 9649 section 2.7.1.1), or an empty array.
  private func size(ofWebP bytes: [UInt8]) -> [Int]? {
    guard bytes.count > 30, bytes[8..<16].elementsEqual("WEBPVP8X".utf8) else { return nil }
    return [24, 27].map { (Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 | Int(bytes[$0 + 2]) << 16) + 1 }
  }
}
