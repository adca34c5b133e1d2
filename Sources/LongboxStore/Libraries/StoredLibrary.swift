// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// What is stored under the name of a reader's library.
public enum StoredLibrary: Equatable, Sendable {
  /// Nothing.
  case none
  /// A library; its device is the number under which devices know this copy.
  case library(Replica)
  /// The name of a library that was paired with another, and now means that one.
  case paired(with: LibraryName)
}
