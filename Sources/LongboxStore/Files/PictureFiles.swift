// Longbox
// SPDX-License-Identifier: MIT

import Crypto
import Foundation
import LongboxCore

/// The folders with pictures' files.
enum PictureFolder: String, CaseIterable, Sendable {
  /// Comics' pictures.
  case pictures
  /// Albums' covers.
  case artwork
}

/// The pictures' files of a data folder.
struct PictureFolders: CopiedPictures {
  let pictures: PictureFiles
  let artwork: PictureFiles

  init(_ place: StorePlace) {
    pictures = PictureFiles(place.pictures)
    artwork = PictureFiles(place.artwork)
  }

  subscript(folder: PictureFolder) -> PictureFiles {
    switch folder {
    case .pictures: pictures
    case .artwork: artwork
    }
  }

  func prepare() throws {
    try pictures.prepare()
    try artwork.prepare()
  }

  /// Removes all other files than those that rows refer to.
  func sweep(keeping files: [(folder: PictureFolder, file: PictureFile)]) throws -> PictureTotals {
    let known = Dictionary(grouping: files, by: \.folder).mapValues { Set($0.map(\.file.name)) }
    var removed = PictureTotals()
    for folder in PictureFolder.allCases {
      for (name, byteCount) in try self[folder].all() where known[folder]?.contains(name) != true {
        try self[folder].remove(name)
        removed.files += 1
        removed.bytes += byteCount
      }
    }
    return removed
  }

  func has(_ file: PictureFile, in folder: PictureFolder) throws -> Bool {
    self[folder].isWhole(file.name, byteCount: file.byteCount)
  }

  func bytes(of file: PictureFile, in folder: PictureFolder) throws -> [UInt8]? {
    try self[folder].read(file.name, byteCount: file.byteCount)
  }

  func put(_ bytes: [UInt8], as name: ContentName, in folder: PictureFolder) throws {
    try self[folder].write(bytes, as: name)
  }
}

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
    // A link would lead to files that aren't ours.
    _ = try OpenFile(incoming.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
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

/// A row's reference to a picture's file.
struct PictureFile: Hashable, Sendable {
  let name: ContentName
  let byteCount: Int

  /// Whether bytes have the size and the hash of this file.
  func isContent(_ bytes: [UInt8]) -> Bool {
    let ending = name.value.split(separator: ".").last.map(String.init) ?? ""
    return bytes.count == byteCount && ContentName(of: bytes, ending: ending) == name
  }
}

/// A picture's file that is to be stored, with its name by content.
struct NewPictureFile: Hashable, Sendable {
  let name: ContentName
  let bytes: [UInt8]

  /// - Parameters:
  ///   - bytes: the file's content.
  ///   - ending: the extension without the dot.
  init(_ bytes: [UInt8], ending: String) {
    self.bytes = bytes
    name = ContentName(of: bytes, ending: ending)
  }

  /// What a row says about it.
  var file: PictureFile { PictureFile(name: name, byteCount: bytes.count) }
}

/// A file's name by content: two hexadecimal digits as the folder, 62 more of its SHA-256, an extension.
struct ContentName: Hashable, Sendable {
  /// Such as `ab/cdef….png`.
  let value: String

  var folder: Substring { value.prefix(2) }

  var version: UInt32 { UInt32(value.filter { $0 != "/" }.prefix(8), radix: 16) ?? 0 }

  /// Computes the name of some bytes.
  /// - Parameters:
  ///   - bytes: the file's content.
  ///   - ending: the extension without the dot.
  init(of bytes: [UInt8], ending: String) {
    let digits = SHA256.hash(data: bytes).flatMap { byte in
      [byte >> 4, byte & 15].map { UInt8(hexadecimalDigit: $0) }
    }
    let hexadecimal = String(decoding: digits, as: UTF8.self)
    value = "\(hexadecimal.prefix(2))/\(hexadecimal.dropFirst(2)).\(ending)"
  }

  /// Parses a name from the database or the disk; nil if it has another form.
  init?(_ value: String) {
    let parts = value.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 65, parts[0].dropFirst(2).first == "/" else { return nil }
    let digits = parts[0].utf8.enumerated().filter { $0.offset != 2 }.map(\.element)
    guard digits.allSatisfy(Self.isDigit), ["png", "jpg", "gif", "webp"].contains(parts[1]) else {
      return nil
    }
    self.value = value
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
  }
}

extension PictureFacts.Format {
  var ending: String {
    switch self {
    case .png: "png"
    case .jpeg: "jpg"
    case .gif: "gif"
    }
  }
}
