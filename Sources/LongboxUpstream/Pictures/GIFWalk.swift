// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// Walks through the blocks of a GIF file (GIF89a specification, appendix B).
enum GIFWalk {
  static func outline(of bytes: [UInt8]) throws(PictureFault) -> PictureOutline {
    var cursor = ByteCursor(bytes, at: 6)
    let width = try cursor.littleEndian(bytes: 2)
    let height = try cursor.littleEndian(bytes: 2)
    let flags = try cursor.byte()
    try cursor.skip(2)
    try skipColourTable(flags, &cursor)
    var hasPixels = false
    while true {
      switch try cursor.byte() {
      case 0x21:
        try cursor.skip(1)
        try skipSubBlocks(&cursor)
      case 0x2C:
        try cursor.skip(8)
        try skipColourTable(try cursor.byte(), &cursor)
        try cursor.skip(1)
        try skipSubBlocks(&cursor)
        hasPixels = true
      case 0x3B:
        guard hasPixels else { throw .damaged("it has no pixels") }
        return PictureOutline(format: .gif, width: width, height: height)
      default:
        throw .damaged("a block of unknown kind")
      }
    }
  }

  private static func skipColourTable(_ flags: UInt8, _ cursor: inout ByteCursor) throws(PictureFault) {
    guard flags & 0x80 != 0 else { return }
    try cursor.skip(3 << (Int(flags & 0x07) + 1))
  }

  private static func skipSubBlocks(_ cursor: inout ByteCursor) throws(PictureFault) {
    while true {
      let length = Int(try cursor.byte())
      guard length > 0 else { return }
      try cursor.skip(length)
    }
  }
}
