// Longbox
// SPDX-License-Identifier: MIT

import Crypto

/// Copies everything from one engine to another, and continues an interrupted copy.
struct StoreCopier {
  let source: any CopiedStore
  let target: any CopyTarget
  /// Called with the number of rows or pictures copied so far.
  let progress: (_ table: String, _ count: Int) -> Void

  /// Copies all tables.
  /// - Throws: `StoreError.copyDiffers` if a table and its copy have different hashes.
  func copyTables() throws -> Int {
    if try !isBeginning() { try target.clear() }
    var count = 0
    for table in CopiedTable.all { count += try copy(table) }
    return count
  }

  /// Copies the pictures that the target lacks.
  /// - Returns: the number of copied pictures, and of those that the source has lost.
  func copyPictures() throws -> (copied: Int, lost: Int) {
    var (copied, lost) = (0, 0)
    for (folder, file) in try source.pictures() where try !target.hasPicture(file, in: folder) {
      guard let bytes = try source.picture(file, in: folder), file.isContent(bytes) else {
        lost += 1
        continue
      }
      try target.put(bytes, file, in: folder)
      copied += 1
      progress("pictures", copied)
    }
    return (copied, lost)
  }

  /// Whether the rows in the target are the first rows of the source's tables.
  private func isBeginning() throws -> Bool {
    for table in CopiedTable.all {
      guard let last = try target.lastKey(of: table) else { continue }
      guard try hash(of: table, in: source, upTo: last) == hash(of: table, in: target, upTo: last) else {
        return false
      }
    }
    return true
  }

  private func copy(_ table: CopiedTable) throws -> Int {
    var key = try target.lastKey(of: table)
    var count = 0
    while true {
      let rows = try source.rows(of: table, after: key)
      guard let last = rows.last else { break }
      try target.insert(rows, into: table)
      key = Array(last.prefix(table.keyCount))
      count += rows.count
      progress(table.name, count)
    }
    guard try hash(of: table, in: source) == hash(of: table, in: target) else {
      throw StoreError.copyDiffers(table: table.name)
    }
    if table.hasLastID { try target.skipIDs(of: table, upTo: source.lastID(of: table)) }
    return count
  }

  /// The hash of the rows in the order of their keys, up to a key.
  private func hash(of table: CopiedTable, in store: any CopiedStore, upTo end: CopiedRow? = nil) throws
    -> [UInt8]
  {
    var hash = SHA256()
    var key: CopiedRow?
    while true {
      let rows = try store.rows(of: table, after: key)
      guard let last = rows.last else { break }
      for row in rows {
        for value in row { value.hash(into: &hash) }
        if let end, Array(row.prefix(table.keyCount)) == end { return Array(hash.finalize()) }
      }
      key = Array(last.prefix(table.keyCount))
    }
    return Array(hash.finalize())
  }
}
