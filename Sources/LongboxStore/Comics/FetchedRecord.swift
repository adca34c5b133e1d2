// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date
public import struct LongboxCore.Comic

/// A comic's record as it came from the source, to be stored.
public struct FetchedRecord: Hashable, Sendable {
  /// The comic that was asked for.
  public var number: Comic.Number
  /// The bytes of the answer, at most 1 MiB.
  public var raw: [UInt8]
  /// What to ask with next time.
  public var validator: StoredValidator
  /// When the answer came.
  public var fetchedAt: Date
  /// When to ask again of our own accord, or nothing.
  public var lookAgain: Date?

  /// Makes a record; only the validator and the next look have a default.
  public init(
    number: Comic.Number,
    raw: [UInt8],
    validator: StoredValidator = StoredValidator(),
    fetchedAt: Date,
    lookAgain: Date? = nil
  ) {
    self.number = number
    self.raw = raw
    self.validator = validator
    self.fetchedAt = fetchedAt
    self.lookAgain = lookAgain
  }
}
