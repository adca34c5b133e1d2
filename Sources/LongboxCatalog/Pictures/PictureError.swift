// Longbox
// SPDX-License-Identifier: MIT

/// Why bytes are not a picture that Longbox shows.
public enum PictureError: Error, Equatable, Sendable {
  /// The bytes are not PNG, JPEG or GIF; often they are a web page instead.
  case foreign
  /// The file is larger than any comic.
  case tooManyBytes(count: Int, limit: Int)
  /// The picture has more pixels than any comic; it was not decoded.
  case tooManyPixels(width: Int, height: Int, limit: Int)
  /// The file begins as a picture but can't be decoded to its end.
  case damaged(reason: String)
  /// `longbox-pictures` crashed, took too long or sent nonsense while it decoded the picture.
  case undecodable(reason: String)
  /// `longbox-pictures` can't be started, so no picture can be decoded.
  case unavailable(reason: String)
  /// The task was cancelled.
  case cancelled
}

extension PictureError: CustomStringConvertible {
  /// A sentence that says what is wrong with the file.
  public var description: String {
    switch self {
    case .foreign:
      "The file is not a PNG, JPEG or GIF picture."
    case .tooManyBytes(let count, let limit):
      "The picture's file has \(count) bytes, which is more than the \(limit) that Longbox takes."
    case .tooManyPixels(let width, let height, let limit):
      "The picture has \(width) by \(height) pixels, which is more than the \(limit) that Longbox takes."
    case .damaged(let reason):
      reason.isEmpty
        ? "The picture is damaged, or its file was cut off." : "The picture is damaged: \(reason)."
    case .undecodable(let reason):
      "The picture can't be decoded: \(reason)."
    case .unavailable(let reason):
      "The picture can't be decoded, because \(reason)."
    case .cancelled:
      "The picture was not decoded, because the request was cancelled."
    }
  }
}
