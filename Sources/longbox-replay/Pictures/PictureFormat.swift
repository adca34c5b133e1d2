// Longbox
// SPDX-License-Identifier: MIT

/// xkcd's three picture formats, by file name extension.
enum PictureFormat: Sendable {
  case png, jpeg, gif

  /// The format of a file name extension in any case; nil if it is none of the three.
  init?(fileName: String) {
    guard let dot = fileName.lastIndex(of: ".") else { return nil }
    switch fileName[fileName.index(after: dot)...].lowercased() {
    case "png": self = .png
    case "jpg", "jpeg": self = .jpeg
    case "gif": self = .gif
    default: return nil
    }
  }

  /// The media type sent by imgs.xkcd.com.
  var mediaType: String {
    switch self {
    case .png: "image/png"
    case .jpeg: "image/jpeg"
    case .gif: "image/gif"
    }
  }
}
