// Longbox
// SPDX-License-Identifier: MIT

/// The disk space that libraries may take.
///
/// A library is new on the day on which it was made, unless its reader is signed in. Pairing doesn't change that, because
/// a stranger can pair two libraries of their own. So a stranger who makes many libraries
/// at once gets little space, and readers who stay hardly notice the limits.
public struct LibraryQuota: Hashable, Sendable {
  /// What a change would exceed.
  public enum Violation: Hashable, Sendable {
    /// The size of a new library.
    case newLibrary
    /// The size of all libraries together.
    case allLibraries
    /// The free space that is left on the disk for readers who have used their library before.
    case freeSpace
  }

  /// The maximum size of a new library, in bytes.
  public var newLibrary: Int
  /// The size of all libraries, in bytes, above which new ones may not grow; at twice this size, none may.
  public var allLibraries: Int
  /// The free space on the disk, in bytes, below which new libraries may not grow.
  public var freeSpace: Int

  /// Makes a quota.
  public init(newLibrary: Int, allLibraries: Int, freeSpace: Int) {
    self.newLibrary = newLibrary
    self.allLibraries = allLibraries
    self.freeSpace = freeSpace
  }

  /// The size of all libraries, in bytes, above which none may grow.
  var allLibrariesInUse: Int { allLibraries > Int.max / 2 ? .max : 2 * allLibraries }

  /// No limits but those of each library.
  public static let unlimited = LibraryQuota(newLibrary: .max, allLibraries: .max, freeSpace: 0)
}
