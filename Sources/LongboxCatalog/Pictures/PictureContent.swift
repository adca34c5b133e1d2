// Longbox
// SPDX-License-Identifier: MIT

import LongboxStore

/// A picture's bytes with their name and type.
public struct PictureContent: Equatable, Sendable {
  /// The name by content: equal names mean equal bytes.
  public let name: String
  /// The media type, such as `image/png`.
  public let mediaType: String
  /// The bytes of the file.
  public let bytes: [UInt8]

  init(_ stored: StoredPicture, bytes: [UInt8]) {
    name = stored.name
    mediaType =
      switch stored.name.split(separator: ".").last {
      case "png": "image/png"
      case "gif": "image/gif"
      case "webp": "image/webp"
      default: "image/jpeg"
      }
    self.bytes = bytes
  }
}
