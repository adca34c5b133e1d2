// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// Walks through the chunks of a PNG file (PNG specification, third edition, section 5).
enum PNGWalk {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  static func outline(of bytes: [UInt8]) throws(PictureFault) -> PictureOutline {
    var cursor = ByteCursor(bytes, at: signature.count)
    var outline: PictureOutline?
    var hasPixels = false
    while true {
      let length = try cursor.bigEndian(bytes: 4)
      let start = cursor.position
      let type = String(decoding: try cursor.take(4), as: UTF8.self)
      try cursor.skip(length)
      let sum = CRC32.checksum(of: bytes[start..<cursor.position])
      guard try cursor.bigEndian(bytes: 4) == Int(sum) else {
        throw .damaged("the checksum of a part is wrong")
      }
      switch type {
      case "IHDR": outline = try header(bytes[start + 4..<start + 4 + length])
      case "IDAT": hasPixels = true
      case "IEND":
        guard let outline, hasPixels else { throw .damaged("it has no pixels") }
        return outline
      default: break
      }
      guard outline != nil else { throw .damaged("it doesn't begin with its size") }
    }
  }

  private static func header(_ chunk: ArraySlice<UInt8>) throws(PictureFault) -> PictureOutline {
    guard chunk.count == 13 else { throw .damaged("a header of \(chunk.count) bytes") }
    var cursor = ByteCursor(Array(chunk), at: 0)
    let width = try cursor.bigEndian(bytes: 4)
    let height = try cursor.bigEndian(bytes: 4)
    return PictureOutline(format: .png, width: width, height: height)
  }
}
