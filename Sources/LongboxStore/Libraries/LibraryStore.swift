// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date
public import LongboxCore

/// The readers' libraries.
public struct LibraryStore: Sendable {
  let store: Store

  /// The stored library with a name.
  /// - Throws: `damaged` if a row has a value that no version of Longbox writes. Nothing is changed then.
  public func library(_ name: LibraryName) async throws(StoreError) -> StoredLibrary {
    try await store.read { tables in try tables.libraries.library(name) }
  }

  /// Writes the changed registers of a reader's library, one row each.
  ///
  /// When this returns, the changes survive a kill of the process. A missing library is created.
  /// - Parameters:
  ///   - replica: the library with the changes.
  ///   - sequence: its sequence before them, 0 for a new one.
  ///   - name: its name.
  ///   - quota: the space that libraries may take.
  ///   - isSignedIn: whether its reader has signed in, so that no quota of new libraries applies, now and later.
  ///   - date: now.
  /// - Returns: whether the library is new, see ``LibraryQuota``.
  /// - Throws: `quota`; `conflict` if the stored sequence differs, or the library is gone. Nothing is changed then.
  @discardableResult
  public func save(
    _ replica: Replica,
    changedSince sequence: UInt64,
    as name: LibraryName,
    within quota: LibraryQuota = .unlimited,
    isSignedIn: Bool = false,
    at date: Date
  ) async throws(StoreError) -> Bool {
    let change = LibraryChange(
      replica: replica,
      sequence: sequence,
      name: name,
      isSignedIn: isSignedIn,
      date: date
    )
    guard sequence > 0 else {
      return try await store.write { tables in
        try tables.libraries.lock([name])
        return try tables.libraries.save(change, within: quota)
      }
    }
    return try await store.writeStatement { tables in try tables.libraries.save(change, within: quota) }
  }

  /// Removes the libraries that weren't used for a long time; works at most once a day.
  /// - Parameters:
  ///   - idleDays: after how many days on which the server ran; 0 for never.
  ///   - unusedDays: the same for a library whose reader never came back; 0 for never.
  ///   - date: now.
  /// - Returns: the names of the removed libraries.
  public func expire(
    idleDays: Int,
    unusedDays: Int,
    at date: Date
  ) async throws(StoreError) -> [LibraryName] {
    try await store.write { tables in
      try tables.libraries.expire(idleDays: idleDays, unusedDays: unusedDays, at: date)
    }
  }

  /// The library that one was paired with, or its own name.
  public func home(of name: LibraryName) async throws(StoreError) -> LibraryName {
    try await store.read { tables in try tables.libraries.home(of: name) ?? name }
  }

  /// Pairs a library with another in one transaction; both names then mean one library.
  ///
  /// The quota counts only what both libraries together grow by. The older one decides whether the result is new.
  /// - Parameters:
  ///   - name: the library that is merged into the other.
  ///   - left: that library as it was read; nil if there was none.
  ///   - home: the other library. It must not be paired itself, and may be new.
  ///   - replica: both libraries merged.
  ///   - sequence: the other library's sequence before, 0 for a new one.
  ///   - quota: the space that libraries may take.
  ///   - isSignedIn: as for `save`.
  ///   - date: now.
  /// - Returns: whether the library is new.
  /// - Throws: `quota`; `conflict` if one of them was changed or removed since it was read. Nothing is changed then.
  @discardableResult
  public func pair(
    _ name: LibraryName,
    holding left: Replica?,
    with home: LibraryName,
    merged replica: Replica,
    changedSince sequence: UInt64,
    within quota: LibraryQuota = .unlimited,
    isSignedIn: Bool = false,
    at date: Date
  ) async throws(StoreError) -> Bool {
    let change = LibraryChange(
      replica: replica,
      sequence: sequence,
      name: home,
      leaving: name,
      isSignedIn: isSignedIn,
      date: date
    )
    return try await store.write { tables in
      try tables.libraries.lock([name, home])
      let isNew = try tables.libraries.save(change, within: quota)
      try tables.libraries.pair(name, holding: left, with: home, at: date)
      return isNew
    }
  }
}
