// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

/// A search engine.
protocol Engine {
  /// The ten best comics for a query.
  func answers(to query: String) throws -> [Int]

  /// Repeats the setup before the first query, with the file already in memory.
  func reopen() throws
}

/// Longbox's own search, over an archive in memory.
///
/// Its time includes snippets, which the peers do not make.
struct LongboxEngine: Engine {
  private let archiveBytes: [UInt8]
  private let explanationBytes: [UInt8]
  private let search: Search

  init(folder: URL) throws {
    archiveBytes = Array(try Data(contentsOf: folder.appending(path: "archive")))
    explanationBytes = Array(try Data(contentsOf: folder.appending(path: "explanations")))
    search = try Self.open(archiveBytes, explanationBytes)
  }

  private static func open(_ archive: [UInt8], _ explanations: [UInt8]) throws -> Search {
    try Search(archive: Archive(Segment(archive)), explanations: ExplanationIndex(Segment(explanations)))
  }

  func answers(to query: String) throws -> [Int] {
    search.results(for: SearchQuestion(text: Text(string: query), limit: 10)).hits.map(\.number.value)
  }

  func reopen() throws {
    _ = try Self.open(archiveBytes, explanationBytes)
  }
}

/// Measurements of this process.
enum Stopwatch {
  static func seconds<Failure>(_ body: () throws(Failure) -> Void) throws(Failure) -> Double {
    let started = ContinuousClock.now
    try body()
    return (ContinuousClock.now - started) / .seconds(1)
  }

  /// The resident memory of this process; 0 if unknown.
  static var residentBytes: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
  }
}
