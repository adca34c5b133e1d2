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
  /// Where pictures may be, the likeliest place first.
  public let pictureFolders: [URL]

  /// Finds the records and the pictures.
  /// - Parameter path: the folder, or its `comics.jsonl`.
  /// - Throws: `Problem` where there is no such file.
  public init(path: String) throws(Problem) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw Problem(description: "There is nothing at “\(path)”. Give a folder with a comics.jsonl in it.")
    }
    let url = URL(filePath: path)
    let folder = isFolder.boolValue ? url : url.deletingLastPathComponent()
    records = isFolder.boolValue ? url.appending(path: "comics.jsonl") : url
    guard FileManager.default.fileExists(atPath: records.path) else {
      throw Problem(
        description: "There is no comics.jsonl in “\(path)”: one record of xkcd's JSON API a line."
      )
    }
    pictureFolders = [folder.appending(path: "images"), folder]
  }
}
