// Longbox
// SPDX-License-Identifier: MIT

public import Foundation

/// A folder with comics to import.
public struct ImportFolder: Sendable {
  /// Why a path can't be imported.
  public struct Problem: Error, CustomStringConvertible {
    /// A sentence that names the path and says what to do.
    public let description: String
  }

  /// The file with the records, one JSON object a line.
  public let records: URL
  /// Folders that may hold the pictures, the most likely first.
  public let pictureFolders: [URL]
  /// The file with explain xkcd's pages, one JSON object a line, if there is one.
  public let pages: URL?

  /// Finds the records, the pictures and the pages.
  /// - Parameter path: the folder, its `comics.jsonl`, or a folder that contains `xkcd` and `explainxkcd`.
  /// - Throws: `Problem` if there is no such file.
  public init(path: String) throws(Problem) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw Problem(description: "There is nothing at “\(path)”. Give a folder with a comics.jsonl in it.")
    }
    let url = URL(filePath: path)
    let isThere = { (file: URL) in FileManager.default.fileExists(atPath: file.path) }
    var folder = isFolder.boolValue ? url : url.deletingLastPathComponent()
    pages = ["pages.jsonl", "explainxkcd/pages.jsonl"].map { folder.appending(path: $0) }.first(
      where: isThere
    )
    if isFolder.boolValue, isThere(url.appending(path: "xkcd/comics.jsonl")) {
      folder = url.appending(path: "xkcd")
    }
    records = isFolder.boolValue ? folder.appending(path: "comics.jsonl") : url
    guard isThere(records) else {
      throw Problem(
        description:
          "There is no comics.jsonl in “\(path)”. It must have one record of xkcd's JSON API per line."
      )
    }
    pictureFolders = [folder.appending(path: "images"), folder]
  }
}
