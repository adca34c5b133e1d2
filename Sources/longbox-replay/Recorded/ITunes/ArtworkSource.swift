// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird

/// Stands in for the servers of album covers.
///
/// It draws gray sleeves, one per address, in the size at the end of the address: `…/600x600bb.jpg`.
struct ArtworkSource: Source {
  let name = "artwork"

  /// The maximum side in pixels.
  private static let largest = 1_200

  func claims(_ path: String) -> Bool { false }

  func respond(to request: SourceRequest) -> Response {
    let parts = request.path.split(separator: "/")
    guard let last = parts.last, parts.count > 1, let side = Self.side(of: last),
      let format = PictureFormat(fileName: String(last))
    else { return .html(status: .notFound, "404 Not Found") }
    let seed = Checksum.fnv1a(parts.dropLast().joined(separator: "/").utf8)
    let sleeve = Self.sleeve(side: side, seed: seed)
    let bytes =
      switch format {
      case .png: PNGFile.encoded(sleeve)
      case .jpeg: JPEGFile.encoded(sleeve)
      case .gif: GIFFile.encoded(sleeve)
      }
    return StoredFile(bytes: bytes, mediaType: format.mediaType, lastModified: Date(timeIntervalSince1970: 0))
      .response(to: request.headers)
  }

  /// `600` in `600x600bb.jpg`.
  private static func side(of name: Substring) -> Int? {
    let numbers = name.prefix { $0 != "b" && $0 != "." }.split(separator: "x").map { Int($0) }
    guard numbers.count == 2, let side = numbers[0], numbers[1] == side else { return nil }
    return (1...largest).contains(side) ? side : nil
  }

  private static func sleeve(side: Int, seed: UInt64) -> Raster {
    var random = SeededGenerator(seed: seed)
    var raster = Raster(width: side, height: side)
    raster.fill(x: 0..<side, y: 0..<side, shade: 1)
    for bar in 0..<5 {
      let start = Int.random(in: 0..<80, using: &random) * side / 100
      let end = start + Int.random(in: 5...20, using: &random) * side / 100
      let y = (bar * 20 + 3) * side / 100
      raster.fill(x: start..<end, y: y..<(y + 14 * side / 100), shade: UInt8(2 + bar % 2))
    }
    return raster
  }
}
