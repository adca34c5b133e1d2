// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// What has changed in a library since a node has read it.
public enum LibraryUpdate: Equatable, Sendable {
  /// Nothing.
  case unchanged
  /// There is no library any more.
  case gone
  /// The newest library, and the name under which it is stored, which may differ after a pairing.
  case changed(Replica, home: LibraryName)
}
