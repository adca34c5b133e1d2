// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

@testable import LongboxCatalog

@Suite struct `Looking into pictures` {
  let inspector = PictureInspector()

  /// A picture and what is to be found in it.
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
      "transparent colour that nobody sees",
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
  func `finds what a page needs to know of a PNG`(example: Example) throws {
    #expect(try inspector.facts(of: example.bytes) == example.facts)
  }

  @Test(arguments: [(1, 16, 8), (3, 16, 8), (6, 8, 16), (8, 8, 16)] as [(UInt8, Int, Int)])
  func `tells the size of a JPEG as it is shown`(orientation: UInt8, width: Int, height: Int) throws {
    let bytes = HandmadePicture.jpeg(orientation: orientation)
    #expect(try inspector.facts(of: bytes) == Self.facts(width, height, bytes, .jpeg, lightness: 128))
    #expect(size(ofWebP: try inspector.thumbnail(of: bytes)) == [width, height])
  }

  @Test(
    arguments: [
      ([0], 255, 0, false), ([2, 1, 0], 0, 0, false), ([1, 2], 76, 1000, false), ([3, 0], 255, 0, true),
    ]
      as [([UInt8], Int, Int, Bool)]
  )
  func `counts the frames of a GIF, and looks into the first`(
    frames: [UInt8],
    lightness: Int,
    colour: Int,
    isTransparent: Bool
  ) throws {
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
    #expect(try inspector.facts(of: bytes) == expected)
  }

  @Test(arguments: [
    (100, 50, 100, 50), (320, 480, 320, 480), (640, 320, 320, 160), (700, 2100, 320, 480), (1, 900, 1, 480),
  ])
  func `makes thumbnails of 320 by 480 pixels at most`(width: Int, height: Int, small: Int, low: Int) throws {
    let bytes = HandmadePicture.png(width, height, colourType: 0) { x, y in [UInt8((x ^ y) & 0xFF)] }
    #expect(size(ofWebP: try inspector.thumbnail(of: bytes)) == [small, low])
  }

  @Test(arguments: [
    [], [0x89], Array("<!DOCTYPE html><html><body>Not Found</body></html>".utf8), Array("GIF".utf8),
    Array("%PDF-1.4".utf8), Array("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8),
    [UInt8](repeating: 0, count: 999),
    Array("RIFF\u{0}\u{0}\u{0}\u{0}WEBPVP8 ".utf8),
  ])
  func `refuses what is no PNG, JPEG or GIF`(bytes: [UInt8]) {
    #expect(throws: PictureError.foreign) { try inspector.facts(of: bytes) }
    #expect(throws: PictureError.foreign) { try inspector.thumbnail(of: bytes) }
  }

  @Test func `refuses a file that was cut at any place, or nearly any`() throws {
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

  @Test func `tells why a file is damaged`() throws {
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

  @Test func `takes as many pixels and bytes as it may, and not one more`() throws {
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

  /// Bytes are overwritten at random: whatever comes of it, it is facts or an error.
  @Test(arguments: [11, 12, 13] as [UInt64])
  func `survives noise in a file`(seed: UInt64) throws {
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

  @Test func `the workshop gives facts and thumbnail together`() async throws {
    let bytes = HandmadePicture.png(640, 320) { _, _ in [255, 255, 255] }
    let work = try await PictureWorkshop().inspect(bytes)
    #expect(try work.facts == inspector.facts(of: bytes))
    #expect(size(ofWebP: work.thumbnail) == [320, 160])
    await #expect(throws: PictureError.foreign) { try await PictureWorkshop().inspect([]) }
  }

  @Test(arguments: [
    PictureError.foreign, .tooManyBytes(count: 9, limit: 8), .tooManyPixels(width: 9, height: 9, limit: 8),
    .damaged(reason: "cut"), .damaged(reason: ""), .unavailable(reason: "no"),
  ])
  func `each error is a sentence`(error: PictureError) {
    #expect(error.description.hasPrefix("The "))
    #expect(error.description.hasSuffix("."))
  }

  /// The size that an extended WebP file tells (RFC 9649 section 2.7.1.1), or nothing.
  private func size(ofWebP bytes: [UInt8]) -> [Int]? {
    guard bytes.count > 30, bytes[8..<16].elementsEqual("WEBPVP8X".utf8) else { return nil }
    return [24, 27].map { (Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 | Int(bytes[$0 + 2]) << 16) + 1 }
  }
}
