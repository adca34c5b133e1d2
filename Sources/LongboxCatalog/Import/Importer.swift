// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
import LongboxCore
public import LongboxStore
import LongboxUpstream

/// Imports comics and explanations from a folder into the store, as if their sources had sent them.
public struct Importer: Sendable {
  /// How many pictures one transaction stores: the most that a kill loses.
  private static let batch = 32

  let store: Store
  let now: @Sendable () -> Date
  private let inspector: PictureInspector

  /// Makes an importer.
  /// - Parameters:
  ///   - store: where the comics are stored.
  ///   - inspector: decodes pictures.
  ///   - now: the time.
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
      if pending.count >= Self.batch {
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
