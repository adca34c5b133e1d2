// Longbox
// SPDX-License-Identifier: MIT

/// What is wrong with bytes that should be a picture.
public enum PictureFault: Error, Equatable, Sendable {
  /// They don't begin like PNG, JPEG or GIF.
  case unknownFormat
  /// They end before the picture does.
  case cut
  /// They violate their format.
  case damaged(String)
}

extension PictureFault: CustomStringConvertible {
  /// The fault, as the end of a sentence.
  public var description: String {
    switch self {
    case .unknownFormat: "it is neither PNG nor JPEG nor GIF"
    case .cut: "it is cut short"
    case .damaged(let detail): "it is damaged (\(detail))"
    }
  }
}
