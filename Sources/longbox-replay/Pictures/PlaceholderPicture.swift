// Longbox
// SPDX-License-Identifier: MIT

import NIOCore

/// A placeholder for a picture that isn't recorded: empty comic panels in light gray.
///
/// A number always gives the same bytes, so that an interrupted or repeated fill sees the same picture. Size
/// and panel count follow from the number, within the range of most comics.
struct PlaceholderPicture: Sendable {
  let number: Int
  /// 1, 2 for double size, 4 for a larger version.
  var scale = 1

  func encoded(as format: PictureFormat) -> ByteBuffer {
    let raster = drawn()
    return switch format {
    case .png: PNGFile.encoded(raster)
    case .jpeg: JPEGFile.encoded(raster)
    case .gif: GIFFile.encoded(raster)
    }
  }

  /// One to three rows of one to three panels, each with a strip of "ground" at the bottom.
  func drawn() -> Raster {
    var random = SeededGenerator(seed: UInt64(truncatingIfNeeded: number))
    let rows = Int.random(in: 1...3, using: &random)
    let width = Int.random(in: 380...740, using: &random)
    let height = rows * Int.random(in: 230...330, using: &random)
    var raster = Raster(width: width * scale, height: height * scale)
    let gap = 8 * scale
    for row in 0..<rows {
      let panels = Int.random(in: 1...3, using: &random)
      let y = Self.span(of: row, among: rows, length: raster.height, gap: gap)
      for panel in 0..<panels {
        let x = Self.span(of: panel, among: panels, length: raster.width, gap: gap)
        draw(panelAt: x, y, ground: Int.random(in: 20...60, using: &random), in: &raster)
      }
    }
    return raster
  }

  private func draw(panelAt x: Range<Int>, _ y: Range<Int>, ground: Int, in raster: inout Raster) {
    let line = 2 * scale
    raster.fill(x: x, y: y, shade: 3)
    let inner = (x.lowerBound + line)..<(x.upperBound - line)
    let bottom = y.upperBound - line
    raster.fill(x: inner, y: (y.lowerBound + line)..<bottom, shade: 1)
    raster.fill(x: inner, y: (bottom - ground * scale)..<bottom, shade: 2)
  }

  /// The range of part `index` of `count` equal parts, with gaps around each.
  private static func span(of index: Int, among count: Int, length: Int, gap: Int) -> Range<Int> {
    let part = (length - gap) / count
    return (gap + index * part)..<((index + 1) * part)
  }
}
