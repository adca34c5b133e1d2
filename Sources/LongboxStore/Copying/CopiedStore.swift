// Longbox
// SPDX-License-Identifier: MIT

/// One engine's side of a copy; it stays on one thread.
protocol CopiedStore {
  /// Rows in the order of their keys, at most a batch.
  /// - Parameters:
  ///   - table: the table.
  ///   - key: the last key before them; nil for the first rows.
  func rows(of table: CopiedTable, after key: CopiedRow?) throws -> [CopiedRow]

  /// The greatest key; nil if there are no rows.
  func lastKey(of table: CopiedTable) throws -> CopiedRow?

  /// The last id that was given to a row.
  func lastID(of table: CopiedTable) throws -> Int64

  /// A picture's bytes; nil if they are missing.
  func picture(_ file: PictureFile, in folder: PictureFolder) throws -> [UInt8]?

  /// The files to which the rows refer.
  func pictures() throws -> [(folder: PictureFolder, file: PictureFile)]
}

/// The side of a copy that is filled.
protocol CopyTarget: CopiedStore {
  /// Adds rows in one transaction.
  func insert(_ rows: [CopiedRow], into table: CopiedTable) throws

  /// Never gives an id up to this one to a new row.
  func skipIDs(of table: CopiedTable, upTo id: Int64) throws

  /// Removes all rows, so that the copy begins again; pictures stay.
  func clear() throws

  func hasPicture(_ file: PictureFile, in folder: PictureFolder) throws -> Bool
  func put(_ picture: [UInt8], _ file: PictureFile, in folder: PictureFolder) throws
}
