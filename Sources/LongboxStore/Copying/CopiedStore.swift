// Longbox
// SPDX-License-Identifier: MIT

/// A store that is the source or target of a copy; used on one thread only.
protocol CopiedStore {
  /// The next batch of rows, in the order of their keys.
  /// - Parameters:
  ///   - table: the table.
  ///   - key: the key of the row before; nil for the first batch.
  func rows(of table: CopiedTable, after key: CopiedRow?) throws -> [CopiedRow]

  /// The greatest key; nil if there are no rows.
  func lastKey(of table: CopiedTable) throws -> CopiedRow?

  /// The last id that the table has assigned.
  func lastID(of table: CopiedTable) throws -> Int64

  /// A picture's bytes; nil if they are missing.
  func picture(_ file: PictureFile, in folder: PictureFolder) throws -> [UInt8]?

  /// The picture files that rows refer to.
  func pictures() throws -> [(folder: PictureFolder, file: PictureFile)]
}

/// A store that is the target of a copy.
protocol CopyTarget: CopiedStore {
  /// Adds rows in one transaction.
  func insert(_ rows: [CopiedRow], into table: CopiedTable) throws

  /// Makes later rows get greater ids than this one.
  func skipIDs(of table: CopiedTable, upTo id: Int64) throws

  /// Removes all rows, but no pictures.
  func clear() throws

  func hasPicture(_ file: PictureFile, in folder: PictureFolder) throws -> Bool
  func put(_ picture: [UInt8], _ file: PictureFile, in folder: PictureFolder) throws
}
