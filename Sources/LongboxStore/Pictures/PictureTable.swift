// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The pictures' facts, and which files they are.
protocol PictureTable {
  func facts(of number: Comic.Number) throws -> PictureFacts?

  /// Stores a picture's facts; returns whether they have changed.
  func put(_ facts: PictureFacts, rulesVersion: Int, of number: Comic.Number) throws -> Bool

  /// Stores whether there is a double-size picture; returns whether that has changed.
  func put(_ doubleSize: PictureFacts.DoubleSize, of number: Comic.Number) throws -> Bool

  /// Stores whether there is a larger version; returns whether that has changed.
  func put(larger: PictureFacts.Larger, of number: Comic.Number) throws -> Bool

  func file(_ kind: PictureKind, of number: Comic.Number) throws -> PictureFile?

  /// Adds a file; returns the name of the file that it replaces.
  func put(_ file: PictureFile, as kind: PictureKind, of number: Comic.Number) throws -> ContentName?

  func files() throws -> [PictureFile]
  func totals() throws -> PictureTotals

  /// Removes a missing or damaged file from the table, so that it is fetched or made again.
  func forget(_ name: ContentName) throws

  /// Removes a comic's files from the table, and returns their names.
  func forgetFiles(of number: Comic.Number) throws -> [ContentName]

  /// The comics whose stored picture has no thumbnail, or facts from older rules.
  func outdated(before rulesVersion: Int, limit: Int) throws -> [Comic.Number]

  /// The size of the files with a name; nil if no row has it.
  func byteCount(of name: ContentName) throws -> Int?
}
