// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import LongboxCore

/// Answers queries with each engine in turn, several times.
struct Ask: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Answers queries over prepared indexes, and says what was found and how long it took, as JSON."
  )

  /// The engines whose indexes exist.
  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case longbox
    case fts5
  }

  @Argument(help: "The folder that 'prepare' wrote into.", completion: .directory)
  var folder: String

  @Argument(help: "A table with the columns id and query, among others.", completion: .file())
  var queries: String

  @Option(help: "An engine; all in turn where none is named.")
  var engine: [Kind] = Kind.allCases

  @Option(help: "How many times all queries are asked.")
  var rounds = 5

  /// The results of one engine.
  struct Report: Encodable {
    /// The ten best comics by query id.
    var answers: [String: [Int]] = [:]
    /// The time of each round by query id.
    var microseconds: [String: [Double]] = [:]
    /// The time to open the engine, with its file in memory.
    var openMicroseconds = 0.0
    /// The growth of the process's memory, including the file and tables.
    var residentBytes = 0
  }

  func run() throws {
    let place = URL(filePath: folder, directoryHint: .isDirectory)
    let asked = try Self.queries(in: URL(filePath: queries))
    var reports: [String: Report] = [:]
    var engines: [(name: String, engine: any Engine)] = []
    for kind in engine {
      let before = Stopwatch.residentBytes
      let opened: any Engine =
        switch kind {
        case .longbox: try LongboxEngine(folder: place)
        case .fts5: try FTS5(inMemory: place.appending(path: "fts5.sqlite").path)
        }
      for query in asked { _ = try opened.answers(to: query.text) }  // warm
      engines.append((kind.rawValue, opened))
      reports[kind.rawValue] = Report(
        openMicroseconds: try Stopwatch.seconds { try opened.reopen() } * 1e6,
        residentBytes: Stopwatch.residentBytes - before
      )
    }
    for _ in 0..<rounds {
      for (name, engine) in engines {
        for query in asked {
          var answers: [Int] = []
          let seconds = try Stopwatch.seconds { answers = try engine.answers(to: query.text) }
          reports[name]?.answers[query.id] = answers
          reports[name]?.microseconds[query.id, default: []].append(seconds * 1e6)
        }
      }
    }
    try [String: Report].write(reports)
  }

  private static func queries(in file: URL) throws -> [(id: String, text: String)] {
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let rows = lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    guard let header = rows.first, let id = header.firstIndex(of: "id"),
      let query = header.firstIndex(of: "query")
    else { throw ValidationError("\(file.path) has no columns 'id' and 'query'.") }
    return rows.dropFirst().filter { $0.count > max(id, query) }.map { ($0[id], $0[query]) }
  }
}
