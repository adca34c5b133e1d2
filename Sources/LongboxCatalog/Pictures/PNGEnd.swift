// Longbox
// SPDX-License-Identifier: MIT

/// The chunk that ends a PNG file (PNG specification, section 11.2.5).
///
/// libvips accepts a file without it if all rows are there, so a file whose last bytes are missing would count as whole.
enum PNGEnd {
  private static let chunk: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]

  /// Checks that the chunk is there; bytes after it are allowed, as in browsers.
  /// - Parameter bytes: a file that libvips has decoded as PNG.
  static func check(_ bytes: [UInt8]) throws(PictureError) {
    var start = bytes.count - chunk.count
    while start >= 0 {
      if bytes[start...].starts(with: chunk) { return }
      start -= 1
    }
    throw .damaged(reason: "its last bytes are missing")
  }
}
