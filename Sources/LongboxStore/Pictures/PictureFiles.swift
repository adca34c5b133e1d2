// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

/// The pictures on the disk, as files named by their content.
///
/// A write is atomic: the file is written to the folder `incoming`, synced, and renamed.
///
/// With SQLite, all changes run on the database's writer queue, and a file is written before the row that refers to
/// it is committed. So every row has its file. A sweep removes files without a row. With PostgreSQL, the files are a
/// cache of the database, and aren't synced.
struct PictureFiles: Sendable {
  private let folder: URL

  init(_ folder: URL) {
    self.folder = folder
  }

  private var incoming: URL { folder.appending(path: "incoming", directoryHint: .isDirectory) }

  func location(of name: ContentName) -> URL {
    folder.appending(path: name.value, directoryHint: .notDirectory)
  }

  /// Makes the folders and removes files that a killed writer left unfinished.
  func prepare() throws {
    try makeFolders()
    for leftover in try FileManager.default.contentsOfDirectory(at: incoming, includingPropertiesForKeys: nil)
    {
      try FileManager.default.removeItem(at: leftover)
    }
  }

  func makeFolders() throws {
    try Folder.make(folder)
    try Folder.make(incoming)
  }

  /// Writes bytes under their name, even if the file exists: it may be damaged.
  /// - Parameter isSynced: whether to wait for the disk; otherwise the file may be damaged after a power cut.
  func write(_ bytes: [UInt8], as name: ContentName, isSynced: Bool = true) throws {
    let temporary = try writeUnfinished(bytes, as: name, isSynced: isSynced)
    try publish(temporary, as: name, isSynced: isSynced)
  }

  /// First half of a write: the bytes are on the disk under a temporary name.
  func writeUnfinished(_ bytes: [UInt8], as name: ContentName, isSynced: Bool = true) throws -> URL {
    // Writers of a cache don't wait for each other, so each has a file of its own.
    let unfinished = name.value.replacing("/", with: "") + (isSynced ? "" : "-\(UUID().uuidString)")
    let temporary = incoming.appending(path: unfinished, directoryHint: .notDirectory)
    let file = try OpenFile(temporary.path, O_WRONLY | O_CREAT | O_TRUNC)
    do {
      try file.write(bytes)
      if isSynced { try file.sync() }
    } catch {
      unlink(temporary.path)
      throw error
    }
    return temporary
  }

  /// Second half of a write: renames the file and syncs the folder.
  func publish(_ temporary: URL, as name: ContentName, isSynced: Bool = true) throws {
    let target = location(of: name)
    let folder = target.deletingLastPathComponent()
    try Folder.make(folder)
    guard rename(temporary.path, target.path) == 0 else { throw FileError(path: target.path) }
    if isSynced { try OpenFile(folder.path, O_RDONLY | O_DIRECTORY).sync() }
  }

  func isWhole(_ name: ContentName, byteCount: Int) -> Bool {
    var status = stat()
    return stat(location(of: name).path, &status) == 0 && Int(status.st_size) == byteCount
  }

  /// Reads a file; nil if it is missing or has another size.
  func read(_ name: ContentName, byteCount: Int) throws(FileError) -> [UInt8]? {
    do {
      let file = try OpenFile(location(of: name).path, O_RDONLY)
      guard try file.size() == byteCount else { return nil }
      let bytes = try file.read(byteCount)
      return bytes.count == byteCount ? bytes : nil
    } catch  where error.number == ENOENT {
      return nil
    }
  }

  func remove(_ name: ContentName) throws {
    let path = location(of: name).path
    guard unlink(path) == 0 || errno == ENOENT else { throw FileError(path: path) }
  }

  func all() throws -> [ContentName: Int] {
    var found: [ContentName: Int] = [:]
    let manager = FileManager.default
    guard manager.fileExists(atPath: self.folder.path) else { return found }
    for folder in try manager.contentsOfDirectory(atPath: self.folder.path) where folder.utf8.count == 2 {
      let path = self.folder.appending(path: folder).path
      for file in try manager.contentsOfDirectory(atPath: path) {
        guard let name = ContentName("\(folder)/\(file)") else { continue }
        var status = stat()
        guard stat(location(of: name).path, &status) == 0 else { continue }
        found[name] = Int(status.st_size)
      }
    }
    return found
  }
}
