// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// A picture of a comic, known to be whole.
public struct XkcdPicture: Equatable, Sendable {
  /// The file, verbatim.
  public let bytes: [UInt8]
  /// What the file says of itself.
  public let outline: PictureOutline

  /// The format, told from the bytes.
  public var format: PictureFacts.Format { outline.format }

  /// Checks a file, from the network or from a folder that is imported.
  public init(verifying bytes: [UInt8]) throws(PictureFault) {
    outline = try PictureOutline(of: bytes)
    self.bytes = bytes
  }
}
