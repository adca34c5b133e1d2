// Longbox
// SPDX-License-Identifier: MIT

public import Foundation

/// Where real recorded data lies, which is other people's work and so not in this repository.
///
/// `LONGBOX_SHARED` names the folder; without it, a folder `shared` beside the repository is looked for. Tests that
/// need it are enabled by ``isPresent`` and are skipped, with their reason printed, elsewhere.
public enum RecordedData {
  /// The folder with `xkcd/comics.jsonl` and the rest, or nothing.
  public static var folder: URL? {
    let here = URL(filePath: #filePath)
    let repository = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let shared =
      ProcessInfo.processInfo.environment["LONGBOX_SHARED"].map { URL(filePath: $0) }
      ?? repository.deletingLastPathComponent().appending(path: "shared")
    let data = shared.appending(path: "data")
    return FileManager.default.fileExists(atPath: data.path) ? data : nil
  }

  /// Whether there is recorded data on this machine.
  public static var isPresent: Bool { folder != nil }

  /// The records of all comics as xkcd sent them, in the order of their numbers.
  /// - Throws: what reading the file throws.
  public static func comicRecords() throws -> [[UInt8]] {
    guard let folder else { return [] }
    let lines = try Data(contentsOf: folder.appending(path: "xkcd/comics.jsonl"))
    return lines.split(separator: UInt8(ascii: "\n")).map { Array($0) }
  }

  /// A page of explain xkcd as it was recorded.
  public struct ExplainPage: Decodable, Sendable {
    /// The comic's number.
    public let num: Int
    /// The page's name, such as "353: Python".
    public let title: String
    /// Its text.
    public let wikitext: String
  }

  /// The pages of explain xkcd, in the order of their numbers.
  /// - Throws: what reading and decoding the file throws.
  public static func explainPages() throws -> [ExplainPage] {
    guard let folder else { return [] }
    let lines = try Data(contentsOf: folder.appending(path: "explainxkcd/pages.jsonl"))
    return try lines.split(separator: UInt8(ascii: "\n")).map { line in
      try JSONDecoder().decode(ExplainPage.self, from: line)
    }
  }
}
