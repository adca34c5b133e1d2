// Longbox
// SPDX-License-Identifier: MIT

import NIOCore
import Testing

@testable import longbox_replay

@Suite struct PlaceholderPictureTests {
  @Test func `draws the same picture for a number, and different ones for others`() {
    let drawn = (1...4).map { PlaceholderPicture(number: $0).encoded(as: .png) }
    #expect(drawn == (1...4).map { PlaceholderPicture(number: $0).encoded(as: .png) })
    #expect(Set(drawn).count == 4)
  }

  @Test func `keeps to the sizes of real comics`() {
    for number in 1...8 {
      let picture = PlaceholderPicture(number: number)
      let raster = picture.drawn()
      #expect((380...740).contains(raster.width), "comic \(number)")
      #expect((230...990).contains(raster.height), "comic \(number)")
      #expect(raster.pixels.count == raster.width * raster.height)
      #expect(Set(raster.pixels) == [0, 1, 2, 3], "comic \(number) has paper, panels, ground and lines")
    }
  }

  @Test func `computes the standard check values of its checksums`() {
    #expect(Checksum.crc32(Array("123456789".utf8)) == 0xCBF4_3926)
    #expect(Checksum.adler32(Array("Wikipedia".utf8)) == 0x11E6_0398)
    #expect(Checksum.fnv1a(Array("a".utf8)) == 0xaf63_dc4c_8601_ec8c)
  }

  @Test func `writes a valid PNG`() throws {
    let raster = PlaceholderPicture(number: 7, scale: 2).drawn()
    var file = PNGFile.encoded(raster)
    let signature = file.readBytes(length: 8)
    #expect(signature == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    var types: [String] = []
    var data = ByteBuffer()
    while let length = file.readInteger(as: UInt32.self) {
      let slice = file.readSlice(length: Int(length) + 4)
      let typed = try #require(slice)
      let crc = file.readInteger(as: UInt32.self)
      #expect(crc == Checksum.crc32(typed.readableBytesView))
      let type = try #require(typed.getString(at: 0, length: 4))
      types.append(type)
      if type == "IDAT" { data = typed.getSlice(at: 4, length: Int(length)) ?? data }
    }
    #expect(types == ["IHDR", "PLTE", "IDAT", "IEND"])
    #expect(try Self.inflated(&data).count == raster.height * (1 + (raster.width + 3) / 4))
  }

  @Test func `writes JPEG and GIF from the first marker to the last`() throws {
    for number in [3, 4] {
      let raster = PlaceholderPicture(number: number).drawn()
      let jpeg = JPEGFile.encoded(raster)
      #expect(jpeg.readableBytesView.prefix(2) == [0xFF, 0xD8])
      #expect(jpeg.readableBytesView.suffix(2) == [0xFF, 0xD9])
      let gif = GIFFile.encoded(raster)
      #expect(gif.getInteger(at: 6, endianness: .little, as: UInt16.self) == UInt16(raster.width))
      #expect(gif.readableBytesView.suffix(2) == [0, 0x3B])
    }
  }

  /// Decodes a zlib stream of stored blocks, and verifies its checksum.
  private static func inflated(_ stream: inout ByteBuffer) throws -> [UInt8] {
    _ = stream.readBytes(length: 2)
    var bytes: [UInt8] = []
    var isLast = false
    while !isLast {
      let head = stream.readMultipleIntegers(endianness: .little, as: (UInt8, UInt16, UInt16).self)
      let (last, length, check) = try #require(head)
      try #require(length == ~check)
      let block = stream.readBytes(length: Int(length))
      bytes += try #require(block)
      isLast = last == 1
    }
    let sum = stream.readInteger(as: UInt32.self)
    #expect(sum == Checksum.adler32(bytes))
    #expect(stream.readableBytes == 0)
    return bytes
  }
}
