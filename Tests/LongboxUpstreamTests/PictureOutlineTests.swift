// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import TestSupport
import Testing

@testable import LongboxUpstream

@Suite struct `A picture file` {
  @Test func `is identified by its bytes, and measured`() throws {
    #expect(try PictureOutline(of: Pictures.png) == PictureOutline(format: .png, width: 3, height: 2))
    #expect(try PictureOutline(of: Pictures.jpeg) == PictureOutline(format: .jpeg, width: 9, height: 8))
    #expect(try PictureOutline(of: Pictures.gif) == PictureOutline(format: .gif, width: 5, height: 4))
  }

  @Test(arguments: [Pictures.png, Pictures.jpeg, Pictures.gif])
  func `is rejected when truncated anywhere`(whole: [UInt8]) {
    for length in 0..<whole.count {
      let fault = #expect(throws: PictureFault.self, "cut to \(length)") {
        try PictureOutline(of: Array(whole[..<length]))
      }
      #expect(fault == (length < 8 ? fault : .cut), "cut to \(length)")
    }
  }

  @Test(arguments: [Pictures.png, Pictures.jpeg, Pictures.gif])
  func `may be followed by other bytes`(whole: [UInt8]) throws {
    #expect(try PictureOutline(of: whole + [1, 2, 3]) == PictureOutline(of: whole))
  }

  @Test func `in PNG is rejected when any bit differs`() {
    for bit in 0..<Pictures.png.count * 8 {
      var bytes = Pictures.png
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: PictureFault.self, "bit \(bit)") { try PictureOutline(of: bytes) }
    }
  }

  @Test(arguments: [
    [], [0x3C], Array("<html><body>503</body></html>".utf8), Array("{}".utf8),
    Array("RIFF\0\0\0\0WEBPVP8 ".utf8),
    Array("GIF88a".utf8), Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8),
  ])
  func `of another format is unknown`(bytes: [UInt8]) {
    #expect(throws: PictureFault.unknownFormat) { try PictureOutline(of: bytes) }
  }

  @Test func `without pixels or size is damaged`() {
    let emptyGIF = Array("GIF89a".utf8) + [5, 0, 4, 0, 0, 0, 0, 0x3B]
    let sizeless =
      Array("GIF89a".utf8) + [0, 0, 4, 0, 0, 0, 0] + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 0, 0x3B]
    let emptyJPEG: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]
    let emptyPNG = Array(Pictures.png[..<33]) + Array(Pictures.png.suffix(12))
    for bytes in [emptyGIF, sizeless, emptyJPEG, emptyPNG] {
      let fault = #expect(throws: PictureFault.self) { try PictureOutline(of: bytes) }
      #expect(fault.map { "\($0)".hasPrefix("it is damaged") } == true, "\(bytes)")
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `with random bytes does not crash`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for whole in [Pictures.png, Pictures.jpeg, Pictures.gif] {
      for _ in 0..<200 {
        var bytes = whole
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
        }
        // An outline and a fault are both right: the test is that neither crashes.
        let outline = try? PictureOutline(of: bytes)
        #expect(outline.map { $0.width > 0 && $0.height > 0 } ?? true, "seed \(seed)")
      }
    }
  }

  @Test func `has the checksum of the specification`() {
    #expect(CRC32.checksum(of: Array("123456789".utf8)[...]) == 0xCBF4_3926)
    #expect(CRC32.checksum(of: []) == 0)
  }
}
