// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date
public import struct LongboxCore.Comic

/// A comic's record from the source, to be stored.
public struct FetchedRecord: Hashable, Sendable {
  /// The comic that was requested.
  public var number: Comic.Number
  /// The bytes of the answer, at most 1 MiB.
  public var raw: [UInt8]
  /// The validator for the next request.
  public var validator: StoredValidator
  /// When the answer came.
  public var fetchedAt: Date
  /// When to fetch it again, or nil.
  public var lookAgain: Date?

  /// Makes a record.
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
