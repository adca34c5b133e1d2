// Longbox
// SPDX-License-Identifier: MIT

public import struct LongboxCore.Comic

/// That a comic was added or changed, and when in the order of changes.
public struct StoredChange: Hashable, Sendable {
  /// The comic.
  public let number: Comic.Number
  /// The revision of its last real change.
  public let revision: Revision
}
