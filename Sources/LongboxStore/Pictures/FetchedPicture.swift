// Longbox
// SPDX-License-Identifier: MIT

public import struct LongboxCore.Comic
public import struct LongboxCore.PictureFacts

/// A comic's picture with its facts, to be stored.
public struct FetchedPicture: Hashable, Sendable {
  /// The comic; its record must be stored.
  public var number: Comic.Number
  /// The file's bytes.
  public var bytes: [UInt8]
  /// The picture's facts.
  ///
  /// If `doubleSize` is unknown, the stored value stays. `version` is computed from the bytes.
  public var facts: PictureFacts
  /// The version of the rules that found the facts.
  public var rulesVersion: Int
  /// The thumbnail as a WebP file, if one could be made.
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
