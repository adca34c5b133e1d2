// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxServer
import LongboxStore

struct StatusReport: Encodable {
  struct Progress: Encodable {
    var fetched: Int
    var absent: Int
    var failed: Int
    var missing: Int

    init(_ progress: FetchProgress?) {
      fetched = progress?.fetched ?? 0
      absent = progress?.absent ?? 0
      failed = progress?.failed ?? 0
      missing = progress?.never ?? 0
    }
  }

  struct Explanations: Encodable {
    var stored: Int
    var absent: Int
    var bytes: Int
  }

  struct Failure: Encodable {
    var comic: Int
    var thing: String
    var reason: String
    var nextTry: Date?
  }

  let folder: String
  /// The PostgreSQL database, without user and password; nil for SQLite in the folder.
  let database: String?
  let comics: Int
  let latest: Int?
  let isComplete: Bool
  let isSound: Bool
  let texts: Progress
  let pictures: Progress
  let doubleSizePictures: Progress
  let explanations: Explanations
  let pictureFiles: Int
  let pictureBytes: Int
  let missingPictures: [String]
  let damagedPictures: [String]
  let databaseFaults: [String]
  let failures: [Failure]
  let lastCheck: Date?
  let lastSuccess: Date?

  init(of store: Store, readingPictures: Bool) async throws {
    let audit = try await ProgressBar.showing("Reading") {
      try await store.audit(readingPictures: readingPictures, progress: $0)
    }
    let check = try await store.fetches.newestCheck()
    let stored = try await store.comics.newest()
    let newest = [check?.newest, stored].compactMap { $0 }.max()
    let totals = try await store.pictures.totals()
    folder = store.folder.path
    database = store.location.database.map { "\($0)" }
    comics = audit.comics
    latest = newest?.value
    texts = try await Self.progress(.record, newest, store)
    pictures = try await Self.progress(.picture, newest, store)
    doubleSizePictures = try await Self.progress(.doubleSize, newest, store)
    let explained = try await store.explanations.totals()
    explanations = Explanations(stored: explained.pages, absent: explained.absent, bytes: explained.bytes)
    isComplete = newest != nil && texts.missing + texts.failed + pictures.missing + pictures.failed == 0
    isSound = audit.isSound
    pictureFiles = totals.files
    pictureBytes = totals.bytes
    missingPictures = audit.missingPictures
    damagedPictures = audit.damagedPictures
    databaseFaults = audit.databaseFaults
    failures = try await store.fetches.failures().map {
      Failure(comic: $0.number.value, thing: $0.part.rawValue, reason: $0.reason ?? "", nextTry: $0.nextTry)
    }
    lastCheck = check?.checkedAt
    lastSuccess = check?.succeededAt
  }

  private static func progress(
    _ part: ComicPart,
    _ newest: Comic.Number?,
    _ store: Store
  ) async throws -> Progress {
    guard let newest else { return Progress(nil) }
    return Progress(try await store.fetches.progress(of: part, upTo: newest))
  }

  /// The maximum number of failures in the text output; JSON has all.
  private static let mostFailures = 20

  var sentences: [String] {
    var lines = ["Folder: \(folder)"]
    if let database { lines.append("Database: \(database)") }
    guard let latest else {
      return lines + ["No comic is stored yet. Start the server, or import a folder."]
    }
    lines.append("Comics: \(comics) stored; the latest is \(latest).")
    lines.append("Texts: \(texts.fetched) fetched, \(texts.missing) missing, \(texts.failed) failed.")
    lines.append(
      "Pictures: \(pictures.fetched) fetched, \(pictures.missing) missing, \(pictures.failed) failed, "
        + "\(pictures.absent) comics without a picture."
    )
    lines.append(
      "Explanations: \(explanations.stored) stored, \(explanations.absent) comics without an explanation."
    )
    let place = database == nil ? "On the disk" : "In the database"
    lines.append("\(place): \(pictureFiles) picture files, \(pictureBytes.spelledAsBytes).")
    for failure in failures.prefix(Self.mostFailures) {
      lines.append("  Comic \(failure.comic), \(failure.thing): \(failure.reason)")
    }
    if failures.count > Self.mostFailures {
      lines.append("  and \(failures.count - Self.mostFailures) more (--json)")
    }
    if isSound {
      lines.append("Nothing that was stored is lost or damaged.")
    } else {
      lines += databaseFaults.map { "Database: \($0)" }
      lines += missingPictures.map { "Missing picture: \($0)" }
      lines += damagedPictures.map { "Damaged picture: \($0)" }
      lines.append("Pictures that are missing or damaged are fetched again when the server runs.")
    }
    lines.append("xkcd by Randall Munroe, CC BY-NC 2.5: https://xkcd.com")
    if explanations.stored > 0 { lines.append("Explanations by explain xkcd, CC BY-SA 3.0") }
    return lines
  }
}
