// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

/// Readers' libraries, a row for each register.
protocol LibraryTable {
  func library(_ name: LibraryName) throws -> StoredLibrary

  /// The library that one was paired with, or nil.
  func home(of name: LibraryName) throws -> LibraryName?

  /// Keeps other nodes from making or pairing libraries with these names, and from saving their feeds, until the
  /// end of the transaction.
  func lock(_ names: [LibraryName]) throws

  /// Writes the changes of a library after checking the quota, and creates it if needed.
  /// - Returns: whether the library is new, see ``LibraryQuota``.
  /// - Throws: `StoreError.quota`; `StoreError.conflict` if the stored sequence differs, or the library is gone.
  func save(_ change: LibraryChange, within quota: LibraryQuota) throws -> Bool

  /// Removes a library, if it exists; its name and its aliases become aliases of another, without chains.
  /// - Parameter left: the library as it was read; nil if there was none.
  /// - Throws: `StoreError.conflict` if it was changed or removed since.
  func pair(_ name: LibraryName, holding left: Replica?, with home: LibraryName, at date: Date) throws

  func count() throws -> Int

  /// The bytes of all libraries.
  func byteCount() throws -> Int

  /// Counts one more day without use for every library, and removes those over the limit; at most once a day.
  ///
  /// A library with a subscription or a feed stays if it was used on two days. Feeds without a library are removed.
  /// - Parameters:
  ///   - idleDays: the days after which a used library is removed; 0 for never.
  ///   - unusedDays: the days after which a library is removed that was never used again; 0 for never.
  ///   - date: now.
  /// - Returns: the names of the removed libraries.
  func expire(idleDays: Int, unusedDays: Int, at date: Date) throws -> [LibraryName]
}

/// Changes of a library that are to be stored.
struct LibraryChange: Sendable {
  /// The library with the changes.
  let replica: Replica
  /// Its sequence before them, 0 for a new one.
  let sequence: UInt64
  let name: LibraryName
  /// The library that is merged into it and then removed, if any.
  var leaving: LibraryName?
  /// Whether its reader has signed in, so that no quota of new libraries applies, now and later.
  let isSignedIn: Bool
  let date: Date

  /// Days since 1970-01-01 UTC.
  var day: Int { Self.day(of: date) }

  static func day(of date: Date) -> Int { Int(date.seconds / 86_400) }
}
