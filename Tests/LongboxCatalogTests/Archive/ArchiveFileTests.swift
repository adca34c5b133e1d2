// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxCore
import LongboxStore
import Testing
import TestSupport

@testable import LongboxCatalog

@Suite("The archive on the disk", .timeLimit(.minutes(10))) struct ArchiveFileTests {
  private let xkcd = FakeXkcd(latest: 6)

  private func filledFolder() async throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    try await withCatalog(xkcd, in: folder) { bench async throws in
      try await bench.bringEverything()
      bench.catalog.save()
    }
    return folder
  }

  private func titles(in folder: TemporaryFolder) async throws -> [String] {
    try await withCatalog(xkcd, in: folder) { bench async throws in titles(of: bench.catalog.snapshot.archive)
    }
  }

  private func titles(of archive: Archive) -> [String] {
    var titles: [String] = []
    archive.visit {
      titles.append($0.title.description)
      return true
    }
    return titles
  }

  private var allTitles: [String] { (1...6).map { "Bread \($0)" } }

  @Test func `is read back unchanged`() async throws {
    let folder = try await filledFolder()
    let file = ArchiveFile(location: folder.path("archive.lbx"))
    let archive = try #require(file.read())
    #expect(archive.count == 6)
    #expect(try folder.permissions("archive.lbx") == 0o600)
    #expect(archive.segments.count == 1)
    // Marked, to distinguish it from an archive rebuilt from the database.
    var writer = SegmentWriter()
    archive.visit { comic in
      var comic = comic.comic
      comic?.title = "from the file"
      if let comic { try? writer.append(comic) }
      return true
    }
    let marked = try Archive(Segment(writer.finish(.init(revision: archive.revision))))
    try file.write(marked)
    #expect(try await titles(in: folder) == Array(repeating: "from the file", count: 6))
  }

  @Test(arguments: ["empty", "cut", "one bit", "text", "folder"])
  func `is rebuilt where it is damaged`(damage: String) async throws {
    let folder = try await filledFolder()
    let place = folder.path("archive.lbx")
    var bytes = [UInt8](try Data(contentsOf: place))
    try FileManager.default.removeItem(at: place)
    switch damage {
    case "empty": bytes = []
    case "cut": bytes.removeLast(bytes.count / 3)
    case "one bit": bytes[bytes.count - 9] ^= 4
    case "text": bytes = Array("There was an archive here.".utf8)
    default: break
    }
    if damage == "folder" {
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
    } else {
      try folder.write(bytes, to: "archive.lbx")
    }
    #expect(try await titles(in: folder) == allTitles)
  }

  /// The revision is the database's own, if none is given.
  @Test(arguments: [[99], [1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 99]], [Int?.none, 1, 1_000_000])
  func `is discarded where it belongs to another database`(numbers: [Int], revision: Int?) async throws {
    let folder = try await filledFolder()
    let file = ArchiveFile(location: folder.path("archive.lbx"))
    let own = try #require(file.read()).revision
    var writer = SegmentWriter()
    for number in numbers {
      let date = try #require(CalendarDate(year: 2020, month: 1, day: 1))
      try writer.append(Comic(number: Comic.Number(of: number), date: date, title: "foreign"))
    }
    try file.write(Archive(Segment(writer.finish(.init(revision: revision ?? own)))))
    let store = try await Store.open(StoreLocation(folder.url))
    let stored = try await Archive.stored(in: store)
    try await store.closeOnNewThread()
    #expect(titles(of: stored) == allTitles)
    #expect(try await titles(in: folder) == allTitles)
  }

  @Test func `is kept where a stored comic can't be decoded`() async throws {
    let folder = try await filledFolder()
    let file = ArchiveFile(location: folder.path("archive.lbx"))
    let store = try await Store.open(StoreLocation(folder.url))
    let broken = FetchedRecord(
      number: Comic.Number(of: 7),
      raw: Array("{}".utf8),
      fetchedAt: SettableTime.start
    )
    try await store.comics.save([broken])
    let archive = try await Archive.stored(in: store)
    #expect(archive.count == 6)
    try file.write(archive)
    #expect(try await file.read(for: store)?.revision == archive.revision)
    try await store.closeOnNewThread()
  }

  @Test func `is rebuilt where it is missing`() async throws {
    let folder = try await filledFolder()
    try FileManager.default.removeItem(at: folder.path("archive.lbx"))
    #expect(try await titles(in: folder) == allTitles)
  }

  @Test func `is updated with comics that were stored after it was written`() async throws {
    let folder = try await filledFolder()
    xkcd.publish(upTo: 8)
    try await withCatalog(xkcd, in: folder) { try await $0.bringEverything() }
    #expect(try await titles(in: folder) == allTitles + ["Bread 7", "Bread 8"])
  }

  @Test func `is written only when something has changed`() async throws {
    let folder = try await filledFolder()
    let place = folder.path("archive.lbx")
    try await withCatalog(xkcd, in: folder) { bench async throws in
      try FileManager.default.removeItem(at: place)
      bench.catalog.save()
      #expect(!FileManager.default.fileExists(atPath: place.path))
      xkcd.publish(upTo: 7)
      try await bench.catalog.refresher.checkNewest()
      bench.catalog.save()
      #expect(FileManager.default.fileExists(atPath: place.path))
      try FileManager.default.removeItem(at: place)
      bench.catalog.save()
      #expect(!FileManager.default.fileExists(atPath: place.path))
    }
  }

  @Test func `keeps a comic's text when its picture is too large for the format`() async throws {
    try await withCatalog(xkcd) { bench async throws in
      try await bench.bringEverything()
      let facts = PictureFacts(width: 70_000, height: 10, byteCount: 1, format: .png)
      try await bench.store.pictures.save(facts, rulesVersion: 1, thumbnail: nil, of: Comic.Number(of: 2))
      let blank = try Archive.blank(isSampleBox: false)
      let stored = try await bench.store.changes(since: .empty)
      let archive = try blank.updated(with: stored, to: 1_000)
      #expect(archive.count == 6)
      #expect(archive.comic(Comic.Number(of: 2))?.picture == nil)
    }
  }
}
