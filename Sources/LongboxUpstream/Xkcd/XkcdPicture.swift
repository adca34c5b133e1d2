// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// A picture of a comic, checked to be complete.
public struct XkcdPicture: Equatable, Sendable {
  /// The file, verbatim.
  public let bytes: [UInt8]
  /// The format and size in the file's header.
  public let outline: PictureOutline

  /// The format, detected from the bytes.
  public var format: PictureFacts.Format { outline.format }

  /// Checks a file, from the network or an import.
  public init(verifying bytes: [UInt8]) throws(PictureFault) {
    outline = try PictureOutline(of: bytes)
    self.bytes = bytes
  }
}
