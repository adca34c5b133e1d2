// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// What is stored under a library's name.
public enum StoredLibrary: Equatable, Sendable {
  /// Nothing.
  case none
  /// A library; its device is this copy's number in the sync protocol.
  case library(Replica)
  /// An alias: the library was paired with another.
  case paired(with: LibraryName)
}
