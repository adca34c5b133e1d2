// Longbox
// SPDX-License-Identifier: MIT

public import struct LongboxCore.Comic
public import struct LongboxCore.PictureFacts

/// A comic's picture with what was found out about it, to be stored.
public struct FetchedPicture: Hashable, Sendable {
  /// The comic, whose record is stored already.
  public var number: Comic.Number
  /// The file's bytes.
  public var bytes: [UInt8]
  /// What is known of it.
  ///
  /// Where its `doubleSize` is unknown, what is stored about that stays; its `version`
  /// is taken from the bytes.
  public var facts: PictureFacts
  /// The version of the rules by which the facts were found.
  public var rulesVersion: Int
  /// The thumbnail as a WebP file, where one could be made.
  public var thumbnail: [UInt8]?

  /// Makes a picture to be stored.
  public init(
    number: Comic.Number,
    bytes: [UInt8],
    facts: PictureFacts,
    rulesVersion: Int,
    thumbnail: [UInt8]?
  ) {
    self.number = number
    self.bytes = bytes
    self.facts = facts
    self.rulesVersion = rulesVersion
    self.thumbnail = thumbnail
  }
}
