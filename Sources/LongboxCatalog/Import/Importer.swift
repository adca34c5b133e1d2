// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
import LongboxCore
public import LongboxStore
import LongboxUpstream

/// Imports comics and explanations from a folder into the store, as if their sources had sent them.
public struct Importer: Sendable {
  /// How many pictures one transaction stores: the most that a kill loses.
  private static let picturesAtOnce = 32

  private let store: Store
  private let now: @Sendable () -> Date
  private let inspector: PictureInspector

  public init(
    store: Store,
    inspector: PictureInspector = PictureInspector(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.store = store
    self.inspector = inspector
    self.now = now
  }

  /// Imports a folder.
  /// - Parameters:
  ///   - folder: the folder.
  ///   - pictures: whether to import pictures too.
  ///   - progress: is called with the number of pages and pictures that are done, and the total.
  /// - Returns: counts, and everything that was skipped.
  /// - Throws: `StoreError`, or a file error. What was stored before the error stays.
  public func run(
    _ folder: ImportFolder,
    pictures: Bool = true,
    progress: @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) async throws -> ImportReport {
    var report = ImportReport()
    var rows: [(line: Int, record: XkcdRecord)] = []
    var seen: [Comic.Number: Int] = [:]
    for (index, line) in try Self.lines(of: folder.records).enumerated() {
      guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) else { continue }
      do throws(XkcdRecord.RecordFault) {
        let record = try XkcdRecord(raw: [UInt8](line.last == 0x0D ? line.dropLast() : line))
        if let first = seen[record.number] {
          let reason = "Line \(first) already has this comic. Longbox uses the first one."
          report.skipped.append(.init(line: index + 1, comic: record.number.value, reason: reason))
          continue
        }
        seen[record.number] = index + 1
        rows.append((index + 1, record))
      } catch {
        report.skipped.append(
          .init(line: index + 1, comic: nil, reason: "The record can't be used: \(error).")
        )
      }
    }
    try await save(rows.map(\.record), &report)
    let pages = try folder.pages.map { try Self.lines(of: $0) } ?? []
    let total = pages.count + (pictures ? rows.count : 0)
    if let file = folder.pages {
      try await importExplanations(in: pages, of: file.lastPathComponent, &report) { progress($0, total) }
    }
    if pictures {
      try await importPictures(of: rows, from: folder, &report) { progress(pages.count + $0, total) }
    }
    return report
  }

  private static func lines(of file: URL) throws -> [Data] {
    // A folder may hold anything under these names, such as a pipe that never ends.
    Data(try PrivateFile.read(file) ?? []).split(
      separator: UInt8(ascii: "\n"),
      omittingEmptySubsequences: false
    )
  }

  private func save(_ records: [XkcdRecord], _ report: inout ImportReport) async throws {
    let date = now()
    let counts = try await store.comics.save(
      records.map {
        FetchedRecord(number: $0.number, raw: $0.raw, validator: .init(), fetchedAt: date, lookAgain: nil)
      }
    )
    report.comics = ImportReport.Counts(
      new: counts.inserted,
      changed: counts.changed,
      unchanged: counts.unchanged
    )
  }

  private func importPictures(
    of rows: [(line: Int, record: XkcdRecord)],
    from folder: ImportFolder,
    _ report: inout ImportReport,
    _ progress: (_ done: Int) -> Void
  ) async throws {
    var pending: [FetchedPicture] = []
    for (index, (line, record)) in rows.enumerated() {
      progress(index)
      let comic = record.comic()
      guard !comic.pictureAddress.isEmpty else {
        try await store.fetches.noteAbsent(.picture, of: comic.number, lookAgain: nil)
        report.withoutPicture += 1
        continue
      }
      guard let file = Self.file(of: comic, in: folder) else {
        report.withoutPicture += 1
        continue
      }
      do {
        let bytes = try PrivateFile.read(file) ?? []
        let stored = try await store.pictures.picture(.standard, of: comic.number)
        if let stored, stored.byteCount == bytes.count, try await store.pictures.bytes(of: stored) == bytes {
          report.pictures.unchanged += 1
          continue
        }
        pending.append(try await inspector.fetchedPicture(bytes, of: comic.number))
        if stored == nil { report.pictures.new += 1 } else { report.pictures.changed += 1 }
      } catch let error as StoreError {
        throw error
      } catch {
        let reason = "The picture \(file.lastPathComponent) can't be used. \(Self.sentence(error))."
        report.skipped.append(.init(line: line, comic: comic.number.value, reason: reason))
      }
      if pending.count >= Self.picturesAtOnce {
        try await store.pictures.save(pending)
        pending = []
      }
    }
    try await store.pictures.save(pending)
  }

  /// An error's text without its full stop.
  private static func sentence(_ error: any Error) -> String {
    let words = error is PictureError || error is FileError ? "\(error)" : error.localizedDescription
    return words.hasSuffix(".") ? String(words.dropLast()) : words
  }

  /// The picture's file; its name is the last part of the address, still percent-encoded.
  private static func file(of comic: Comic, in folder: ImportFolder) -> URL? {
    let address = comic.pictureAddress.description
    guard let name = address.split(separator: "/").last, !name.hasPrefix(".") else { return nil }
    for place in folder.pictureFolders {
      let file = place.appending(component: String(name))
      if FileManager.default.fileExists(atPath: file.path) { return file }
    }
    return nil
  }
}

extension Importer {
  private struct Page: Decodable {
    var num: Int
    var wikitext: String
  }

  /// How many pages one transaction stores.
  private static var pagesAtOnce: Int { 50 }

  /// Imports missing explanations; the file has no dates or revisions, so the wiki is asked again later.
  private func importExplanations(
    in lines: [Data],
    of name: String,
    _ report: inout ImportReport,
    _ progress: (_ done: Int) -> Void
  ) async throws {
    let decoder = JSONDecoder()
    var pending: [FetchedExplanation] = []
    var seen: Set<Comic.Number> = []
    for (index, line) in lines.enumerated() where !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 })
    {
      progress(index)
      func skip(_ comic: Int?, _ reason: String) {
        report.skipped.append(.init(file: name, line: index + 1, comic: comic, reason: reason))
      }
      guard let page = try? decoder.decode(Page.self, from: line) else {
        skip(nil, "The page can't be used: it isn't a JSON object with \"num\" and \"wikitext\".")
        continue
      }
      guard let number = Comic.Number(page.num) else {
        skip(page.num, "No comic has this number.")
        continue
      }
      guard page.wikitext.utf8.count <= ExplanationText.sizeLimit else {
        skip(page.num, "The page is too long.")
        continue
      }
      guard seen.insert(number).inserted else {
        skip(page.num, "An earlier line has the page of this comic. Longbox uses the first one.")
        continue
      }
      guard try await store.explanations.explanation(of: number)?.text == nil else {
        report.explanations.unchanged += 1
        continue
      }
      report.explanations.new += 1
      pending.append(explanation(of: number, page.wikitext))
      if pending.count >= Self.pagesAtOnce {
        try await store.explanations.save(pending)
        pending = []
      }
    }
    try await store.explanations.save(pending)
  }

  private func explanation(of number: Comic.Number, _ wikitext: String) -> FetchedExplanation {
    let text = ExplanationText(pageRevision: 0, timestamp: "", wikitext: Array(wikitext.utf8))
    let isIncomplete = WikiPage(wikitext: Text(text.wikitext)).isIncomplete
    let pause = ExplanationSchedule.pause(after: .page, isIncomplete: isIncomplete, isNew: false)
    return FetchedExplanation(
      number: number,
      outcome: .page(text),
      fetchedAt: now(),
      lookAgain: now().addingTimeInterval(pause)
    )
  }
}

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

public struct ImportReport: Encodable, Equatable, Sendable {
  /// Counts of new, changed and unchanged items of one kind.
  public struct Counts: Encodable, Equatable, Sendable {
    /// Not stored before.
    public var new = 0
    /// Stored before, with other content.
    public var changed = 0
    /// Stored before, with the same content.
    public var unchanged = 0

    /// All usable items.
    public var total: Int { new + changed + unchanged }
  }

  /// A row or a picture that could not be used.
  public struct Skipped: Encodable, Equatable, Sendable {
    public var file = "comics.jsonl"
    /// The line number, from 1.
    public var line: Int
    /// The comic's number, if it could be read.
    public var comic: Int?
    /// The reason, as a sentence.
    public var reason: String
  }

  public var comics = Counts()
  public var pictures = Counts()
  /// The explanations; a stored explanation is never replaced, because it comes from the wiki and is newer.
  public var explanations = Counts()
  /// How many comics have no picture in the folder.
  public var withoutPicture = 0
  /// Everything that could not be used.
  public var skipped: [Skipped] = []

  /// The report for people, a line each.
  public var sentences: [String] {
    var lines = skipped.map { skipped in
      "Line \(skipped.line)\(skipped.file == "comics.jsonl" ? "" : " of \(skipped.file)")\(skipped.comic.map { " (comic \($0))" } ?? ""): \(skipped.reason)"
    }
    lines.append("Comics: \(comics.new) new, \(comics.changed) changed, \(comics.unchanged) already there.")
    lines.append(
      "Pictures: \(pictures.new) new, \(pictures.changed) changed, \(pictures.unchanged) already there, "
        + "\(withoutPicture) not in the folder."
    )
    if explanations.total > 0 {
      lines.append("Explanations: \(explanations.new) new, \(explanations.unchanged) already there.")
    }
    if !skipped.isEmpty { lines.append("Skipped: \(skipped.count), for the reasons above.") }
    return lines
  }
}
