// Longbox
// SPDX-License-Identifier: MIT

/// The three formats in which xkcd publishes, told by the ending of a picture's name.
enum PictureFormat: Sendable {
  case png, jpeg, gif

  /// The format that a file name's ending says, without regard to case; nil where it says none of the three.
  init?(fileName: String) {
    guard let dot = fileName.lastIndex(of: ".") else { return nil }
    switch fileName[fileName.index(after: dot)...].lowercased() {
    case "png": self = .png
    case "jpg", "jpeg": self = .jpeg
    case "gif": self = .gif
    default: return nil
    }
  }

  /// The media type that imgs.xkcd.com sends with such a picture.
  var mediaType: String {
    switch self {
    case .png: "image/png"
    case .jpeg: "image/jpeg"
    case .gif: "image/gif"
    }
  }
}
