// Longbox
// SPDX-License-Identifier: MIT

public import LongboxStore

/// How much readers, and strangers who pose as readers, may store; a household never meets the defaults.
public struct StorageLimits: Hashable, Sendable {
  /// How many libraries an address may start in an hour.
  public var newLibrariesPerHour = 100
  /// By how much the libraries that are new may grow in a day, by all changes from one address together, in bytes.
  ///
  /// It is at least the size of a new library, so that one of them can be filled.
  public var newBytesPerAddress = 16 << 20
  /// How many subscriptions to notifications an address may make in an hour.
  public var newSubscriptionsPerHour = 60
  /// The disk space that libraries may take.
  public var libraries = LibraryQuota(newLibrary: 1 << 20, allLibraries: 1 << 30, freeSpace: 200 << 20)
  /// After how many days without a visit a library is removed; 0 for never.
  public var idleDays = 365
  /// The same for a library whose reader never came back on a second day.
  public var unusedDays = 7

  /// Makes the default limits.
  public init() {}
}
