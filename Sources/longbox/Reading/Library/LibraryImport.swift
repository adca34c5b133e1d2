// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

/// Adds a file to the reader's library.
struct LibraryImport {
  let path: String
  let server: String?
  let place: DataOptions
  let asJSON: Bool
  /// Whether a list's lines that name no comic are left out, in place of rejecting the list.
  let skipsLines: Bool

  /// As for uploads in the browser.
  private static let mostBytes = 8 << 20

  /// Whether a path is for a library, and not for the server's comics.
  static func isLibrary(_ path: String) -> Bool {
    if path == "-" { return true }
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return isThere && !isFolder.boolValue && !path.hasSuffix(".jsonl")
  }

  private struct Report: Encodable {
    var favoritesAdded: Int
    var favoritesPresent: Int
    var notesAdded: Int
    var comicsRead: Int
    var settingsTaken: Int
    var savedTaken: Int
    var unknownNumbers: [Int]
  }

  func run() async throws {
    let context = try await ReaderContext(server: server, place)
    let document = try document(in: try bytes())
    let latest = try? await context.comics().latest()
    let now = context.now()
    let result = try await context.library.edit { replica in
      try document.merge(into: &replica, latest: latest, at: now)
    }
    if asJSON {
      try context.console.writeJSON(
        Report(
          favoritesAdded: result.favoritesAdded,
          favoritesPresent: result.favoritesPresent,
          notesAdded: result.notesAdded,
          comicsRead: result.comicsRead,
          settingsTaken: result.settingsTaken,
          savedTaken: result.savedTaken,
          unknownNumbers: result.unknownNumbers
        )
      )
      return
    }
    context.console.write(
      "Favorites: \(result.favoritesAdded) new, \(result.favoritesPresent) already there. "
        + "Comics marked as read: \(result.comicsRead). Saved albums and results: \(result.savedTaken)."
    )
    if !result.unknownNumbers.isEmpty {
      let numbers = result.unknownNumbers.prefix(20).map { "\($0)" }.joined(separator: ", ")
      context.console.write("Not comics, and left out: \(numbers).")
    }
  }

  private func document(in bytes: [UInt8]) throws -> LibraryDocument {
    do throws(ImportError) {
      return try ImportReader.document(in: bytes)
    } catch {
      guard case .unreadLines(let lines, let others) = error else { throw error }
      for line in lines.shown { Console.remark("\(line.sentence)") }
      if lines.count > lines.shown.count {
        Console.remark("And \(lines.count - lines.shown.count) more lines.")
      }
      guard skipsLines, !others.isEmpty else {
        if !others.isEmpty { Console.remark("Import the other lines with --skip-lines.") }
        throw error
      }
      return try ImportReader.document(of: others)
    }
  }

  private func bytes() throws -> [UInt8] {
    guard let file = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path) else {
      throw ReaderError.missing("The file “\(path)” can’t be read.")
    }
    let bytes = try file.read(upToCount: Self.mostBytes + 1) ?? Data()
    guard bytes.count <= Self.mostBytes else {
      throw ReaderError.malformed("“\(path)” is larger than 8 MB, so it can’t be a library.")
    }
    return [UInt8](bytes)
  }
}
