// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

/// The pictures on the disk, as files named by their content.
///
/// A file appears under its name whole or not at all: it is written to the folder's `incoming`, synced, and renamed. All
/// that changes the folder runs on the database's writer queue, before the row that tells of a file is committed, so a
/// row never tells of a file that isn't there, and a file without a row is waste that a sweep removes.
struct PictureFiles: Sendable {
  private let folder: URL

  init(_ folder: URL) {
    self.folder = folder
  }

  private var incoming: URL { folder.appending(path: "incoming", directoryHint: .isDirectory) }

  /// Where a file lies.
  func location(of name: ContentName) -> URL {
    folder.appending(path: name.value, directoryHint: .notDirectory)
  }

  /// Makes the folders and removes what a writer left unfinished when it was killed.
  func prepare() throws {
    try Folder.make(folder)
    try Folder.make(incoming)
    for leftover in try FileManager.default.contentsOfDirectory(at: incoming, includingPropertiesForKeys: nil)
    {
      try FileManager.default.removeItem(at: leftover)
    }
  }

  /// Keeps bytes under their name, which is written anew even where there is such a file: it may be damaged.
  func write(_ bytes: [UInt8], as name: ContentName) throws {
    let temporary = try writeUnfinished(bytes, as: name)
    try publish(temporary, as: name)
  }

  /// The first half of writing: the bytes are on the disk, under a name that nobody looks for.
  func writeUnfinished(_ bytes: [UInt8], as name: ContentName) throws -> URL {
    let unfinished = name.value.replacing("/", with: "")
    let temporary = incoming.appending(path: unfinished, directoryHint: .notDirectory)
    let file = try OpenFile(temporary.path, O_WRONLY | O_CREAT | O_TRUNC)
    do {
      try file.write(bytes)
      try file.sync()
    } catch {
      unlink(temporary.path)
      throw error
    }
    return temporary
  }

  /// The second half of writing: the file gets its name, and the name is on the disk too.
  func publish(_ temporary: URL, as name: ContentName) throws {
    let target = location(of: name)
    let folder = target.deletingLastPathComponent()
    try Folder.make(folder)
    guard rename(temporary.path, target.path) == 0 else { throw FileError(path: target.path) }
    try OpenFile(folder.path, O_RDONLY | O_DIRECTORY).sync()
  }

  /// Whether the file is there in its full size.
  func isWhole(_ name: ContentName, byteCount: Int) -> Bool {
    var status = stat()
    return stat(location(of: name).path, &status) == 0 && Int(status.st_size) == byteCount
  }

  /// Reads a file, or nothing where it is missing or has another size.
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

  /// Removes a file; that it is gone already is no error.
  func remove(_ name: ContentName) throws {
    let path = location(of: name).path
    guard unlink(path) == 0 || errno == ENOENT else { throw FileError(path: path) }
  }

  /// All files that are there, with their sizes.
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
