// Longbox
// SPDX-License-Identifier: MIT

/// Walks through the blocks of a GIF file (GIF89a specification, appendix B) to its end.
///
/// libvips decodes an animation's first frame only. With any `fail_on` it accepts a file that ends after that frame.
enum GIFBlocks {
  /// Checks that no block is missing; bytes after the trailer are allowed, as in browsers.
  /// - Parameter bytes: a file that begins as GIF does.
  static func check(_ bytes: [UInt8]) throws(PictureError) {
    do throws(ByteCursor.End) {
      var cursor = ByteCursor(bytes, at: 10)
      let flags = try cursor.byte()
      try cursor.skip(2)
      try skipColourTable(flags, &cursor)
      while try skipBlock(&cursor) {}
    } catch {
      throw .damaged(reason: "the animation is cut short")
    }
  }

  /// Moves past a block.
  /// - Returns: whether another follows. libvips has checked what the blocks are.
  private static func skipBlock(_ cursor: inout ByteCursor) throws(ByteCursor.End) -> Bool {
    switch try cursor.byte() {
    case 0x21:
      try cursor.skip(1)
      try skipSubBlocks(&cursor)
    case 0x2C:
      try cursor.skip(8)
      try skipColourTable(try cursor.byte(), &cursor)
      try cursor.skip(1)
      try skipSubBlocks(&cursor)
    default: return false
    }
    return true
  }

  private static func skipColourTable(_ flags: UInt8, _ cursor: inout ByteCursor) throws(ByteCursor.End) {
    guard flags & 0x80 != 0 else { return }
    try cursor.skip(3 << (Int(flags & 0x07) + 1))
  }

  private static func skipSubBlocks(_ cursor: inout ByteCursor) throws(ByteCursor.End) {
    while true {
      let length = Int(try cursor.byte())
      guard length > 0 else { return }
      try cursor.skip(length)
    }
  }
}
