// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxCore
import LongboxStore
import Testing
import TestSupport

@testable import LongboxCatalog

@Suite("Importing a folder", .timeLimit(.minutes(10))) struct ImporterTests {
  private let source = TemporaryFolder()
  private let data = TemporaryFolder()

  private func write(_ lines: [[UInt8]], separator: String = "\n") throws {
    try source.write(Array(lines.joined(separator: Array(separator.utf8))), to: "comics.jsonl")
  }

  private func importAll(pictures: Bool = true) async throws -> ImportReport {
    let store = try Store.open(data.url)
    let report = try await Importer(
      store: store,
      inspector: CatalogBench.inspector,
      now: { SettableTime.start }
    )
    .run(ImportFolder(path: source.url.path), pictures: pictures)
    try await store.closeOnNewThread()
    return report
  }

  private func pictureFiles() async throws -> Int {
    let store = try Store.open(data.url)
    let files = try await store.pictures.totals().files
    try await store.closeOnNewThread()
    return files
  }

  private func writeThree() throws {
    try write((1...3).map { HandmadeRecord.raw($0) })
    for number in 1...3 {
      try source.write(HandmadeRecord.picture(number), to: "images/bread_\(number).png")
    }
  }

  @Test func `stores texts and pictures, and nothing new the second time`() async throws {
    try writeThree()
    let first = try await importAll()
    #expect(first == ImportReport(comics: .init(new: 3), pictures: .init(new: 3)))
    let second = try await importAll()
    #expect(second == ImportReport(comics: .init(unchanged: 3), pictures: .init(unchanged: 3)))
    #expect(second.sentences.joined().contains("0 new, 0 changed, 3 already there"))
    try await withCatalog(FakeXkcd(latest: 3), in: data) { bench async throws in
      #expect(bench.catalog.snapshot.archive.count == 3)
      #expect(bench.comic(2)?.picture?.width == 5)
      #expect(try await bench.store.audit(readingPictures: true).isSound)
      #expect(bench.xkcd.takePaths() == [])
    }
  }

  @Test func `reports changed texts and pictures`() async throws {
    try writeThree()
    _ = try await importAll()
    try write([HandmadeRecord.raw(1), HandmadeRecord.raw(2, title: "Toast"), HandmadeRecord.raw(3)])
    try source.write(HandmadeRecord.picture(9), to: "images/bread_3.png")
    let report = try await importAll()
    #expect(report.comics == .init(changed: 1, unchanged: 2))
    #expect(report.pictures == .init(changed: 1, unchanged: 2))
    try await withCatalog(FakeXkcd(latest: 3), in: data) { bench async throws in
      #expect(bench.comic(2)?.title == "Toast")
      let picture = try await bench.catalog.picture(.standard, of: Comic.Number(of: 3))
      #expect(picture.bytes == HandmadeRecord.picture(9))
    }
  }

  @Test func `resumes after an interruption`() async throws {
    try writeThree()
    _ = try await importAll(pictures: false)
    #expect(try await pictureFiles() == 0)
    let report = try await importAll()
    #expect(report == ImportReport(comics: .init(unchanged: 3), pictures: .init(new: 3)))
  }

  @Test func `stores explanations that are new, and their transcripts`() async throws {
    try writeThree()
    func page(_ number: Int, _ words: String) -> String {
      #"{"num": \#(number), "title": "A page", "wikitext": "==Explanation==\n\#(words)\n==Transcript==\n:[A box.]"}"#
    }
    let lines = [
      page(1, "A quagga."), "{", page(2, "A quagga."), page(2, "Again."), "", page(404, "No."),
      page(1700, "Yes."),
    ]
    try source.write(Array(lines.joined(separator: "\n").utf8), to: "explainxkcd/pages.jsonl")
    let report = try await importAll()
    #expect(report.explanations == .init(new: 3))
    #expect(report.skipped.map(\.line) == [2, 4, 6])
    #expect(report.skipped.allSatisfy { $0.file == "pages.jsonl" })
    #expect(
      report.sentences.joined().contains(
        "Line 4 of pages.jsonl (comic 2): An earlier line has the page of this comic"
      )
    )
    #expect(report.sentences.contains("Explanations: 3 new, 0 already there."))
    try await withCatalog(FakeXkcd(latest: 3), wiki: FakeWiki(), in: data) { bench async throws in
      guard case .stored(let explanation) = try await bench.catalog.explanation(of: Comic.Number(of: 1))
      else {
        Issue.record("it is not stored")
        return
      }
      #expect(explanation.lead == "A quagga." && explanation.date == nil)
    }
    try source.write(Array(page(1, "Another.").utf8), to: "explainxkcd/pages.jsonl")
    #expect(try await importAll().explanations == .init(unchanged: 1), "what is stored is newer")
  }

  @Test func `accepts a folder with one folder for each source`() async throws {
    try source.write(HandmadeRecord.raw(1), to: "xkcd/comics.jsonl")
    try source.write(HandmadeRecord.picture(1), to: "xkcd/images/bread_1.png")
    try source.write(
      Array(#"{"num":1,"wikitext":"==Explanation==\nYes."}"#.utf8),
      to: "explainxkcd/pages.jsonl"
    )
    let report = try await importAll()
    #expect(
      report == ImportReport(comics: .init(new: 1), pictures: .init(new: 1), explanations: .init(new: 1))
    )
  }

  @Test func `skips bad rows, and reports their line and the reason`() async throws {
    try write([
      HandmadeRecord.raw(1), Array("<html>".utf8), [], HandmadeRecord.raw(4).dropLast(5),
      Array(#"{"num": 0, "title": "x", "year": "2006", "month": "1", "day": "1"}"#.utf8), [0xFF, 0xFE, 0x7B],
      HandmadeRecord.raw(404), HandmadeRecord.raw(7),
      Array(#"{"num": 8, "title": "x", "year": "2006", "month": "2", "day": "30"}"#.utf8),
      HandmadeRecord.raw(1),
      Array("   ".utf8),
    ])
    let report = try await importAll()
    #expect(report.comics == .init(new: 2))
    #expect(report.skipped.map(\.line) == [2, 4, 5, 6, 7, 9, 10])
    #expect(report.skipped.last?.comic == 1)
    #expect(report.skipped.last?.reason == "Line 1 already has this comic. Longbox uses the first one.")
    #expect(report.skipped[0].reason == "The record can't be used: it is an HTML page instead of JSON.")
    #expect(report.skipped[4].reason.contains("404"))
    for skipped in report.skipped { #expect(report.sentences.joined().contains("Line \(skipped.line)")) }
    #expect(report.withoutPicture == 2)
  }

  @Test(arguments: ["\r\n", "\n", "\n\n", "\r\n\r\n"])
  func `accepts the line ends of any system`(separator: String) async throws {
    try write((1...3).map { HandmadeRecord.raw($0) }, separator: separator)
    #expect(try await importAll().comics == .init(new: 3))
    let store = try Store.open(data.url)
    #expect(try await store.comics.rawRecord(Comic.Number(of: 2)) == HandmadeRecord.raw(2))
    try await store.closeOnNewThread()
  }

  @Test func `reports missing and damaged pictures, and imports the rest`() async throws {
    try writeThree()
    try FileManager.default.removeItem(at: source.path("images/bread_1.png"))
    try source.write(HandmadeRecord.picture(2).dropLast(30), to: "images/bread_2.png")
    let report = try await importAll()
    #expect(report.comics == .init(new: 3))
    #expect(report.pictures == .init(new: 1))
    #expect(report.withoutPicture == 1)
    #expect(report.skipped.map(\.line) == [2])
    #expect(report.skipped.first?.comic == 2)
    let reason = try #require(report.skipped.first?.reason)
    #expect(reason.hasPrefix("The picture bread_2.png can't be used. The picture is damaged"))
  }

  @Test func `finds pictures beside the records, and under percent-encoded and odd names`()
    async throws
  {
    let names = ["%3F%3F%3F.png", "(.png", "crate_(1).png"]
    try write(names.enumerated().map { HandmadeRecord.raw($0.offset + 1, image: $0.element) })
    for (index, name) in names.enumerated() { try source.write(HandmadeRecord.picture(index), to: name) }
    #expect(try await importAll().pictures == .init(new: 3))
  }

  @Test func `reads no picture outside the folder, and accepts comics without one`() async throws {
    try source.write(HandmadeRecord.picture(1), to: "../secret.png")
    defer { try? FileManager.default.removeItem(at: source.path("../secret.png")) }
    try write([
      HandmadeRecord.raw(1, image: "../../secret.png"), HandmadeRecord.raw(2, image: ""),
      HandmadeRecord.raw(3, image: ".."), HandmadeRecord.raw(4, image: "%2e%2e%2fsecret.png"),
    ])
    let report = try await importAll()
    #expect(report.comics == .init(new: 4))
    #expect(report.pictures == .init())
    #expect(report.withoutPicture == 4)
  }

  @Test func `says what is wrong with a path`() throws {
    #expect(throws: ImportFolder.Problem.self) { try ImportFolder(path: "/nowhere/at/all") }
    try source.write([], to: "other.txt")
    let problem = #expect(throws: ImportFolder.Problem.self) { try ImportFolder(path: source.url.path) }
    #expect(problem?.description.contains("comics.jsonl") == true)
    try write([HandmadeRecord.raw(1)])
    let folder = try ImportFolder(path: source.path("comics.jsonl").path)
    #expect(folder.records.lastPathComponent == "comics.jsonl")
    #expect(folder.pictureFolders.first?.lastPathComponent == "images")
  }

  @Test func `can report as JSON`() async throws {
    try write([HandmadeRecord.raw(1), Array("x".utf8)])
    let json = try JSONEncoder().encode(await importAll())
    let object = try JSONDecoder().decode([String: JSONShape].self, from: json)
    #expect(Set(object.keys) == ["comics", "explanations", "pictures", "skipped", "withoutPicture"])
  }

  /// Any JSON value; only its presence is checked.
  private struct JSONShape: Decodable {
    init(from decoder: any Decoder) throws {}
  }
}
