// Longbox
// SPDX-License-Identifier: MIT

public import struct LongboxCore.Comic

/// A comic that was added or changed, with its revision.
public struct StoredChange: Hashable, Sendable {
  /// The comic.
  public let number: Comic.Number
  /// The revision of its last real change.
  public let revision: Revision
}
