// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import LongboxCore

/// Builds an index file for each engine.
struct Prepare: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Indexes the texts into a folder, and says how long it took and how large the indexes are, as JSON."
  )

  @Option(help: "A file with a record of xkcd's API a line.", completion: .file())
  var comics: String

  @Option(help: "A file with a page of explain xkcd a line.", completion: .file())
  var pages: String?

  @Option(help: "How many times the number of comics; those added are made up.")
  var copies = 1

  @Flag(help: "Leave explanations out.")
  var withoutExplanations = false

  @Argument(help: "The folder, which must exist.", completion: .directory)
  var folder: String

  /// The statistics of the indexes.
  struct Report: Encodable {
    var comics = 0
    var textBytes = 0
    var archiveBytes = 0
    var indexBytes = 0
    var explanationIndexBytes = 0
    var indexSeconds = 0.0
    var fts5Bytes = 0
    var fts5Seconds = 0.0
  }

  func run() throws {
    let place = URL(filePath: folder, directoryHint: .isDirectory)
    let originals = try Document.all(records: URL(filePath: comics), pages: pages.map { URL(filePath: $0) })
    var growth = Growth(originals, seed: 1)
    var documents = copies > 1 ? growth.documents(copies: copies) : originals
    if withoutExplanations {
      for index in documents.indices { documents[index].explanation = "" }
    }
    var report = Report(comics: documents.count)
    report.textBytes = documents.reduce(0) { sum, document in
      sum + document.title.utf8.count + document.alt.utf8.count + document.transcript.utf8.count
    }
    if copies == 1 { try writeTexts(documents, to: place.appending(path: "documents.jsonl")) }
    try writeArchive(documents, to: place, &report)
    report.fts5Seconds = try Stopwatch.seconds {
      let database = try FTS5(at: place.appending(path: "fts5.sqlite").path)
      try database.index(documents)
    }
    let attributes = try FileManager.default.attributesOfItem(
      atPath: place.appending(path: "fts5.sqlite").path
    )
    report.fts5Bytes = (attributes[.size] as? NSNumber)?.intValue ?? 0
    try Report.write(report)
  }

  /// Writes the same texts for engines in other programs.
  private func writeTexts(_ documents: [Document], to file: URL) throws {
    let encoder = JSONEncoder()
    var lines = Data()
    for document in documents {
      lines.append(try encoder.encode(document))
      lines.append(UInt8(ascii: "\n"))
    }
    try lines.write(to: file)
  }

  private func writeArchive(_ documents: [Document], to place: URL, _ report: inout Report) throws {
    let comics = documents.compactMap(\.comic)
    var writer = SegmentWriter()
    for comic in comics { try writer.append(comic) }
    report.indexSeconds = Stopwatch.seconds { writer.searchIndex = SearchIndexWriter.index(of: comics) }
    report.indexBytes = writer.searchIndex.count
    let archive = try writer.finish(.init(revision: 1))
    report.archiveBytes = archive.count
    try Data(archive).write(to: place.appending(path: "archive"))

    let explanations = documents.compactMap { document -> (Comic.Number, Text)? in
      guard !document.explanation.isEmpty, let number = Comic.Number(document.number) else { return nil }
      return (number, Text(string: document.explanation))
    }
    var explained = SegmentWriter()
    explained.explanationIndex = SearchIndexWriter.index(ofExplanations: explanations)
    report.explanationIndexBytes = explained.explanationIndex.count
    try Data(explained.finish(.init(revision: 1))).write(to: place.appending(path: "explanations"))
  }
}

extension Encodable {
  /// Prints a value as JSON on one line.
  static func write(_ value: Self) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    print(String(decoding: try encoder.encode(value), as: UTF8.self))
  }
}
