// Longbox
// SPDX-License-Identifier: MIT

import NIOCore

/// A picture that stands in for one that isn't recorded: the empty panels of a comic, in light grey.
///
/// The same number always gives the same bytes, so that a fill that is interrupted and resumed, or run twice, sees one
/// and the same picture. Width, height and number of panels follow from the number and lie where most of xkcd's do.
struct PlaceholderPicture: Sendable {
  /// Which comic it stands for.
  let number: Int
  /// 1, or 2 for the double-size variant.
  var scale = 1

  /// The whole file in the given format.
  func encoded(as format: PictureFormat) -> ByteBuffer {
    let raster = drawn()
    return switch format {
    case .png: PNGFile.encoded(raster)
    case .jpeg: JPEGFile.encoded(raster)
    case .gif: GIFFile.encoded(raster)
    }
  }

  /// The panels: one to three rows, each of one to three panels with a strip of "ground" below.
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

  /// Where the part `index` of `count` equal parts lies, with a gap around each.
  private static func span(of index: Int, among count: Int, length: Int, gap: Int) -> Range<Int> {
    let part = (length - gap) / count
    return (gap + index * part)..<((index + 1) * part)
  }
}
