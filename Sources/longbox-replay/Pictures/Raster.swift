// Longbox
// SPDX-License-Identifier: MIT

/// A picture in four shades of gray, one byte per pixel, row by row.
struct Raster: Sendable {
  /// The gray values of the four shades, from background to darkest line; 0 is black, 255 white.
  static let shades: [UInt8] = [245, 228, 200, 160]

  let width: Int
  let height: Int
  /// `width * height` indexes into ``shades``.
  private(set) var pixels: [UInt8]

  /// A blank picture; both sides must be positive.
  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    self.pixels = Array(repeating: 0, count: width * height)
  }

  /// Fills a rectangle, clipped to the picture.
  mutating func fill(x: Range<Int>, y: Range<Int>, shade: UInt8) {
    let columns = x.clamped(to: 0..<width)
    for row in y.clamped(to: 0..<height) {
      let start = row * width
      pixels.replaceSubrange(
        (start + columns.lowerBound)..<(start + columns.upperBound),
        with: repeatElement(shade, count: columns.count)
      )
    }
  }
}
