// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date
public import struct LongboxCore.Comic

/// What the checks for a new comic have found.
public struct NewestCheck: Hashable, Sendable {
  /// The newest comic's number by the last check that succeeded.
  public var newest: Comic.Number?
  /// What to ask with next time.
  public var validator: StoredValidator
  /// When the source was last asked, to the second.
  public var checkedAt: Date
  /// When it last gave a good answer, "not changed" among them; to the second.
  public var succeededAt: Date?
  /// Why the last check failed, as a sentence, or nothing where it succeeded.
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
