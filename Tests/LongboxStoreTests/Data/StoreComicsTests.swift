// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxStore
import TestSupport
import Testing

@Suite("Comics in the store") struct StoreComicsTests {
  let folder = TemporaryFolder()

  @Test(arguments: Engine.tested)
  func `keep a record byte for byte, with validator and date`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    var odd = try record(859, "(")
    odd.raw = Array("{\"title\":\"A \u{FFFD} \\u202e\"}".utf8) + [0, 0xFF]
    odd.validator = StoredValidator(etag: #"W/"x""#, lastModified: "Fri, 07 Aug 2026 04:00:00 GMT")
    try await store.comics.save([odd])
    let stored = try #require(try await store.comics.comic(number(859)))
    #expect(stored.raw == odd.raw)
    #expect(stored.validator == odd.validator)
    #expect(stored.fetchedAt == testDate())
    #expect(stored.picture == nil)
    #expect(try await store.comics.rawRecord(number(859)) == odd.raw)
    #expect(try await store.comics.comic(number(860)) == nil)
    #expect(try await store.comics.rawRecord(number(860)) == nil)
  }

  @Test(arguments: Engine.tested)
  func `count new, changed and unchanged records`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    #expect(try await store.comics.save([record(1), record(2), record(3)]) == SaveCounts(inserted: 3))
    #expect(
      try await store.comics.save([record(2, "Other"), record(3), record(4)])
        == SaveCounts(inserted: 1, changed: 1, unchanged: 1)
    )
    #expect(try await store.comics.count() == 4)
    #expect(try await store.comics.newest() == number(4))
  }

  @Test(arguments: Engine.tested)
  func `list changes in order, also from within a revision`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    try await store.comics.save([record(5), record(1), record(3)])
    try await store.comics.save([record(3, "Other"), record(4)])
    func changes(_ revision: Int, _ number: Int, upTo last: Int = 2, limit: Int = 9) async throws -> [[Int]] {
      let after = Revision(revision)
      return try await store.comics.changes(after: after, number, upTo: Revision(last), limit: limit)
        .map { [$0.revision.value, $0.number.value] }
    }
    #expect(try await changes(0, 999_999) == [[1, 1], [1, 5], [2, 3], [2, 4]])
    #expect(try await changes(1, 1) == [[1, 5], [2, 3], [2, 4]])
    #expect(try await changes(1, 999_999) == [[2, 3], [2, 4]])
    #expect(try await changes(1, 1, limit: 2) == [[1, 5], [2, 3]])
    #expect(try await changes(0, 999_999, upTo: 1) == [[1, 1], [1, 5]])
    #expect(try await changes(2, 4).isEmpty)
  }

  @Test(arguments: Engine.tested)
  func `keep the later of two records with one number`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    #expect(
      try await store.comics.save([record(7, "mbmbam"), record(7, "MBMBaM")])
        == SaveCounts(inserted: 1, changed: 1)
    )
    #expect(try await store.comics.rawRecord(number(7)) == record(7, "MBMBaM").raw)
  }

  @Test(arguments: Engine.tested)
  func `renew validator and date for the same bytes, without a change`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    try await store.comics.save([record(1)])
    let before = try await store.comics.revision()
    var again = try record(1, at: testDate(60))
    again.validator.etag = "new"
    try await store.comics.save([again])
    #expect(try await store.comics.revision() == before)
    #expect(try await store.comics.comics(changedSince: before).isEmpty)
    #expect(try await store.comics.comic(number(1))?.validator.etag == "new")
    #expect(try await store.comics.comic(number(1))?.fetchedAt == testDate(60))
  }

  @Test(arguments: Engine.tested)
  func `list the comics that changed since a revision`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    #expect(try await store.comics.revision() == .empty)
    try await store.comics.save([record(1), record(2), record(3)])
    let first = try await store.comics.revision()
    #expect(first > .empty)
    #expect(try await store.comics.comics(changedSince: .empty).map(\.number.value) == [1, 2, 3])
    #expect(try await store.comics.comics(changedSince: first).isEmpty)

    try await store.comics.save([record(3, "Other"), record(9)])
    #expect(try await store.comics.comics(changedSince: first).map(\.number.value) == [3, 9])

    let second = try await store.comics.revision()
    try await store.pictures.save([picture(2)])
    let changed = try await store.comics.comics(changedSince: second)
    #expect(changed.map(\.number.value) == [2])
    let kept = try #require(changed.first?.picture)
    #expect(kept.version != 0, "the version comes from the picture's bytes")
    var facts = try picture(2).facts
    facts.version = kept.version
    #expect(kept == facts)
    #expect(try await store.comics.comics(changedSince: .empty).map(\.number.value) == [1, 2, 3, 9])
  }

  @Test(arguments: Engine.tested)
  func `renew the fetch date of a confirmed record, without a change`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    try await store.comics.save([record(1)])
    let before = try await store.comics.revision()
    let validator = StoredValidator(etag: "e")
    try await store.comics.confirm(number(1), validator: validator, at: testDate(9), lookAgain: testDate(99))
    #expect(try await store.comics.comic(number(1))?.validator == validator)
    #expect(try await store.fetches.status(of: .record, of: number(1)).nextTry == testDate(99))
    #expect(try await store.comics.revision() == before)
    await #expect(throws: StoreError.unknownComic(try number(2))) {
      try await store.comics.confirm(number(2), validator: validator, at: testDate())
    }
    #expect(try await store.fetches.status(of: .record, of: number(2)).state == .never)
  }

  @Test(arguments: Engine.tested)
  func `reject a whole import with one invalid record`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    var empty = try record(2)
    empty.raw = []
    await #expect(throws: StoreError.self) { try await store.comics.save([record(1), empty]) }
    #expect(try await store.comics.count() == 0)
  }

  @Test func `are still there after closing and opening`() async throws {
    let first = try Store.open(folder.url)
    try await first.comics.save([record(1), record(2)])
    try await first.closeOnNewThread()
    let revision: Revision
    do {
      let second = try Store.openReading(folder.url)
      #expect(try await second.comics.count() == 2)
      revision = try await second.comics.revision()
    }
    #expect(revision > .empty)
  }
}

@Suite(
  "All recorded comics",
  .enabled(if: RecordedData.isPresent, "needs the recorded data that LONGBOX_SHARED names")
)
struct RecordedComicsTests {
  let folder = TemporaryFolder()

  @Test func `are stored byte for byte, and stored again without a change`() async throws {
    let lines = try RecordedData.comicRecords()
    let records = try lines.map { line in
      let text = String(decoding: line, as: UTF8.self)
      let value = try #require(text.firstMatch(of: /"num": ?(\d+)/).flatMap { Int($0.output.1) })
      return FetchedRecord(number: try number(value), raw: Array(line), fetchedAt: testDate())
    }
    let store = try Store.open(folder.url)
    let clock = ContinuousClock()
    var counts = SaveCounts()
    let time = try await clock.measure { counts = try await store.comics.save(records) }
    print("imported \(records.count) records in \(time)")
    #expect(counts == SaveCounts(inserted: records.count))
    let revision = try await store.comics.revision()
    #expect(try await store.comics.save(records) == SaveCounts(unchanged: records.count))
    #expect(try await store.comics.revision() == revision)
    let stored = try await store.comics.comics(changedSince: .empty)
    #expect(stored.map(\.raw) == records.map(\.raw))
    #expect(try await store.audit().gaps.isEmpty)
  }
}
