// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

/// What is stored about comics themselves.
protocol ComicTable {
  func revision() throws -> Revision
  func count() throws -> Int
  func newest() throws -> Comic.Number?
  func numbers() throws -> [Comic.Number]
  func raw(_ number: Comic.Number) throws -> [UInt8]?
  func comic(_ number: Comic.Number) throws -> StoredComic?
  func comics(changedSince revision: Revision) throws -> [StoredComic]
  func changes(after revision: Revision, _ number: Int, upTo last: Revision, limit: Int) throws
    -> [StoredChange]

  /// Stores fetched records; all real changes get one new revision.
  func save(_ records: [FetchedRecord]) throws -> SaveCounts

  /// Notes that the source has confirmed the stored record; returns whether there is one.
  func confirm(_ number: Comic.Number, validator: StoredValidator, at date: Date) throws -> Bool

  /// Gives comics a new revision, because something outside their records has changed; those not stored are ignored.
  func noteChange(of numbers: [Comic.Number]) throws
}

extension ComicTable {
  /// Gives a comic a new revision, for a change outside its record.
  func noteChange(of number: Comic.Number) throws {
    try noteChange(of: [number])
  }

  /// The missing numbers up to the newest, except 404.
  func gaps() throws -> [Comic.Number] {
    guard let newest = try newest() else { return [] }
    let stored = Set(try numbers())
    return (1...newest.value).compactMap { Comic.Number($0) }.filter { !stored.contains($0) }
  }
}
