// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date
public import struct LongboxCore.Comic

/// The result of the checks for a new comic.
public struct NewestCheck: Hashable, Sendable {
  /// The newest comic's number, from the last check that succeeded.
  public var newest: Comic.Number?
  /// The validator for the next request.
  public var validator: StoredValidator
  /// When the source was last asked, to the second.
  public var checkedAt: Date
  /// When it last answered, "not changed" included; to the second.
  public var succeededAt: Date?
  /// Why the last check failed, as a sentence, or nil if it succeeded.
  public var failure: String?

  /// Makes the result of a check.
  public init(
    newest: Comic.Number?,
    validator: StoredValidator = StoredValidator(),
    checkedAt: Date,
    succeededAt: Date?,
    failure: String? = nil
  ) {
    self.newest = newest
    self.validator = validator
    self.checkedAt = checkedAt
    self.succeededAt = succeededAt
    self.failure = failure
  }
}
