// Longbox
// SPDX-License-Identifier: MIT

/// Copies everything from one database to the other, and continues an interrupted copy.
struct StoreCopier {
  let source: any SQLConnection
  let target: any SQLConnection
  /// Called with the number of rows or pictures copied so far.
  let progress: (_ table: String, _ count: Int) -> Void

  /// Copies all tables.
  /// - Throws: `StoreError.copyDiffers` if a table and its copy have different hashes.
  func copyTables() throws -> Int {
    if try !isBeginning() {
      for table in CopiedTable.all.reversed() { try target.change("DELETE FROM \(table.name)") }
    }
    var count = 0
    for table in CopiedTable.all { count += try copy(table) }
    let counters = [
      (Counter.comics, "max(revision)", "comic"), (.explanations, "max(change)", "explanation"),
    ]
    for (counter, greatest, table) in counters {
      try target.change(
        "UPDATE counter SET value = (SELECT coalesce(\(greatest), 0) FROM \(table)) WHERE name = $1",
        .text(counter.rawValue)
      )
    }
    return count
  }

  /// Copies the pictures that the target lacks.
  /// - Returns: the number of copied pictures, and of those that the source has lost.
  func copyPictures(
    from here: any CopiedPictures,
    to there: any CopiedPictures
  ) throws -> (copied: Int, lost: Int) {
    var (copied, lost) = (0, 0)
    for (folder, file) in try source.pictureFiles() where try !there.has(file, in: folder) {
      guard let bytes = try here.bytes(of: file, in: folder), file.isContent(bytes) else {
        lost += 1
        continue
      }
      try there.put(bytes, as: file.name, in: folder)
      copied += 1
      progress("pictures", copied)
    }
    return (copied, lost)
  }

  /// Whether the rows in the target are the first rows of the source's tables.
  private func isBeginning() throws -> Bool {
    for table in CopiedTable.all {
      guard let last = try table.lastKey(in: target) else { continue }
      guard try table.hash(in: source, upTo: last) == table.hash(in: target, upTo: last) else { return false }
    }
    return true
  }

  private func copy(_ table: CopiedTable) throws -> Int {
    var key = try table.lastKey(in: target)
    var count = 0
    while true {
      let rows = try table.rows(after: key, in: source)
      guard let last = rows.last else { break }
      try table.insert(rows, into: target)
      key = Array(last.prefix(table.keyCount))
      count += rows.count
      progress(table.name, count)
    }
    guard try table.hash(in: source) == table.hash(in: target) else {
      throw StoreError.copyDiffers(table: table.name)
    }
    if table.hasLastID { try target.skipIDs(of: table.name, upTo: source.lastID(of: table.name)) }
    return count
  }
}

/// The bytes of the pictures on one side of a copy: files, or rows in PostgreSQL.
protocol CopiedPictures {
  func has(_ file: PictureFile, in folder: PictureFolder) throws -> Bool

  /// A picture's bytes; nil if they are missing.
  func bytes(of file: PictureFile, in folder: PictureFolder) throws -> [UInt8]?

  func put(_ bytes: [UInt8], as name: ContentName, in folder: PictureFolder) throws
}
