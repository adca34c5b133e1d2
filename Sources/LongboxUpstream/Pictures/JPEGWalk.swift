// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// Walks through the segments of a JPEG file (ITU-T T.81, annex B).
enum JPEGWalk {
  private static let endOfImage: UInt8 = 0xD9
  private static let startOfScan: UInt8 = 0xDA
  /// Markers without a segment: TEM and RST0 to RST7.
  private static let standalone: Set<UInt8> = [0x01, 0xD0, 0xD1, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7]
  /// SOF0 to SOF15, without DHT, JPG and DAC, which lie among them.
  private static let startOfFrame = Set<UInt8>(0xC0...0xCF).subtracting([0xC4, 0xC8, 0xCC])

  static func outline(of bytes: [UInt8]) throws(PictureFault) -> PictureOutline {
    var cursor = ByteCursor(bytes, at: 2)
    var outline: PictureOutline?
    var hasPixels = false
    while true {
      let marker = try marker(&cursor)
      guard marker != endOfImage else {
        guard let outline, hasPixels else { throw .damaged("it has no pixels") }
        return outline
      }
      guard !standalone.contains(marker) else { continue }
      let length = try cursor.bigEndian(bytes: 2)
      guard length >= 2 else { throw .damaged("a segment of \(length) bytes") }
      let segment = try cursor.take(length - 2)
      if startOfFrame.contains(marker) { outline = try frame(segment) }
      if marker == startOfScan {
        hasPixels = true
        try skipScan(&cursor)
      }
    }
  }

  /// The next marker; any number of FF may stand before it as padding (section B.1.1.2).
  private static func marker(_ cursor: inout ByteCursor) throws(PictureFault) -> UInt8 {
    guard try cursor.byte() == 0xFF else { throw .damaged("a marker is missing") }
    var marker = try cursor.byte()
    while marker == 0xFF { marker = try cursor.byte() }
    guard marker != 0x00, marker != 0xD8 else { throw .damaged("a marker is out of place") }
    return marker
  }

  private static func frame(_ segment: ArraySlice<UInt8>) throws(PictureFault) -> PictureOutline {
    guard segment.count >= 6 else { throw .damaged("a frame header of \(segment.count) bytes") }
    var cursor = ByteCursor(Array(segment), at: 1)
    let height = try cursor.bigEndian(bytes: 2)
    let width = try cursor.bigEndian(bytes: 2)
    return PictureOutline(format: .jpeg, width: width, height: height)
  }

  /// Moves past coded pixels to the marker that ends them: in them, FF is followed by 00 or a restart marker.
  private static func skipScan(_ cursor: inout ByteCursor) throws(PictureFault) {
    let bytes = cursor.bytes
    var index = cursor.position
    while index + 1 < bytes.count {
      let isMarker =
        bytes[index] == 0xFF && !(bytes[index + 1] == 0x00 || standalone.contains(bytes[index + 1]))
      if isMarker { return try cursor.skip(index - cursor.position) }
      index += 1
    }
    throw .cut
  }
}
