// Longbox
// SPDX-License-Identifier: MIT

public import Foundation

/// The location of real recorded data, which is other people's work and so not in this repository.
///
/// `LONGBOX_SHARED` names the folder; the default is the folder `shared` next to the repository. Tests that
/// need it are enabled by ``isPresent``, and otherwise skipped with a message.
public enum RecordedData {
  /// The folder with `xkcd/comics.jsonl` and the rest, or nil.
  public static var folder: URL? {
    let here = URL(filePath: #filePath)
    let repository = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let shared =
      ProcessInfo.processInfo.environment["LONGBOX_SHARED"].map { URL(filePath: $0) }
      ?? repository.deletingLastPathComponent().appending(path: "shared")
    let data = shared.appending(path: "data")
    return FileManager.default.fileExists(atPath: data.path) ? data : nil
  }

  /// Whether this machine has recorded data.
  public static var isPresent: Bool { folder != nil }

  /// The records of all comics as xkcd sent them, by number.
  /// - Throws: errors of reading the file.
  public static func comicRecords() throws -> [[UInt8]] {
    guard let folder else { return [] }
    let lines = try Data(contentsOf: folder.appending(path: "xkcd/comics.jsonl"))
    return lines.split(separator: UInt8(ascii: "\n")).map { Array($0) }
  }

  /// A recorded page of explain xkcd.
  public struct ExplainPage: Decodable, Sendable {
    /// The comic's number.
    public let num: Int
    /// The page's name, such as "353: Python".
    public let title: String
    /// The page's wikitext.
    public let wikitext: String
  }

  /// The pages of explain xkcd, by number.
  /// - Throws: errors of reading and decoding the file.
  public static func explainPages() throws -> [ExplainPage] {
    guard let folder else { return [] }
    let lines = try Data(contentsOf: folder.appending(path: "explainxkcd/pages.jsonl"))
    return try lines.split(separator: UInt8(ascii: "\n")).map { line in
      try JSONDecoder().decode(ExplainPage.self, from: line)
    }
  }
}
