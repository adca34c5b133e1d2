// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date
public import struct LongboxCore.Comic
public import struct LongboxCore.PictureFacts

/// Everything stored about a comic, except its picture.
public struct StoredComic: Hashable, Sendable {
  /// The comic's number.
  public let number: Comic.Number
  /// The record as the source sent it.
  public let raw: [UInt8]
  /// The validator for the next request.
  public let validator: StoredValidator
  /// When the source last sent or confirmed the record, to the second.
  public let fetchedAt: Date
  /// The picture's facts, if it was ever fetched; its file may have been cleared since.
  public let picture: PictureFacts?
  /// The revision of the last real change.
  public let revision: Revision
}
