// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxStore
import Testing
import TestSupport

@Suite("Fetches in the store") struct StoreFetchesTests {
  let folder = TemporaryFolder()

  @Test(arguments: Engine.tested)
  func `are due newest first for records, without 404`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    try await store.comics.save([record(405)])
    #expect(try await due(.record, store, upTo: 406) == [406, 403, 402])
    #expect(try await due(.record, store, upTo: 2) == [2, 1])
    #expect(
      try await store.fetches.numbersToFetch(.record, upTo: number(3282), dueBy: testDate(), limit: 9999)
        .count
        == 3280
    )
  }

  @Test(arguments: Engine.tested)
  func `are due for pictures of stored comics, and doubles of stored pictures`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    #expect(try await due(.picture, store).isEmpty)
    try await store.comics.save([record(1), record(2), record(3)])
    #expect(try await due(.picture, store) == [3, 2, 1])
    #expect(try await due(.picture, store, upTo: 2) == [2, 1])
    #expect(try await due(.doubleSize, store).isEmpty)
    try await store.pictures.save([picture(2)])
    #expect(try await due(.picture, store) == [3, 1])
    #expect(try await due(.doubleSize, store) == [2])
    try await store.pictures.saveDoubleSize(pictureBytes(9), format: .png, of: number(2))
    #expect(try await due(.doubleSize, store).isEmpty)
  }

  @Test(arguments: Engine.tested)
  func `wait for the next try after a failure`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    try await store.fetches.noteFailure(.record, of: number(3), reason: "No answer.", nextTry: testDate(60))
    #expect(try await due(.record, store, upTo: 3, by: testDate(59)) == [2, 1])
    #expect(try await due(.record, store, upTo: 3, by: testDate(60)) == [3, 2, 1])
    #expect(try await store.fetches.nextTry(of: .record, after: testDate(59)) == testDate(60))
    #expect(try await store.fetches.nextTry(of: .record, after: testDate(60)) == nil)
    #expect(try await store.fetches.nextTry(of: .picture, after: testDate(0)) == nil)
  }

  @Test(arguments: Engine.tested, ComicPart.allCases)
  func `don't wait for a time that was stored while the clock was ahead`(
    engine: Engine,
    part: ComicPart
  ) async throws {
    let store = try await engine.open(folder.url)
    try await store.comics.save([record(1), record(2), record(3)])
    try await store.pictures.save([picture(1), picture(2), picture(3)])
    let longest = StoredPause.fetch(part).longest
    for value in 1...2 {
      try await store.fetches.noteAbsent(part, of: number(value), lookAgain: testDate(longest))
    }
    let ahead = testDate(10 * longest)
    try await store.fetches.noteFailure(part, of: number(3), reason: "Down.", nextTry: ahead)
    #expect(try await due(part, store, upTo: 3) == [3])
    #expect(try await due(part, store, upTo: 3, by: testDate(-60)) == [3], "The others wait.")
    #expect(try await due(part, store, upTo: 3, by: ahead) == [3, 2, 1])
    #expect(try await store.fetches.nextTry(of: part, after: testDate()) == testDate(longest))
    #expect(try await store.fetches.nextTry(of: part, after: testDate(longest)) == nil)
  }

  @Test(arguments: Engine.tested)
  func `count failures until a success`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    try await store.fetches.noteFailure(.record, of: number(3), reason: "First.", nextTry: nil)
    try await store.fetches.noteFailure(.record, of: number(3), reason: "Second.", nextTry: testDate(60))
    let status = try await store.fetches.status(of: .record, of: number(3))
    #expect(status.state == .failed)
    #expect(status.reason == "Second.")
    #expect(status.attempts == 2)
    #expect(try await store.fetches.failures() == [status])
    try await store.comics.save([record(3)])
    let later = try await store.fetches.status(of: .record, of: number(3))
    #expect(later.state == .fetched)
    #expect(later.reason == nil)
    #expect(later.attempts == 0)
    #expect(later.nextTry == nil)
    #expect(try await store.fetches.failures().isEmpty)
  }

  @Test(arguments: Engine.tested)
  func `stay done when a later one fails`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    try await store.comics.save([record(3)])
    try await store.fetches.noteFailure(.record, of: number(3), reason: "Down.", nextTry: testDate(60))
    let status = try await store.fetches.status(of: .record, of: number(3))
    #expect(status.state == .fetched)
    #expect(status.reason == "Down.")
    #expect(status.attempts == 1)
    #expect(try await due(.record, store, upTo: 3, by: testDate(60)) == [3, 2, 1])
    #expect(try await store.fetches.failures().isEmpty)
  }

  @Test(arguments: Engine.tested)
  func `are not due for what a source lacks, or only from a given day`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    try await store.comics.save([record(1608), record(1663)])
    try await store.fetches.noteAbsent(.picture, of: number(1608), lookAgain: nil)
    try await store.fetches.noteAbsent(.picture, of: number(1663), lookAgain: testDate(60))
    #expect(try await due(.picture, store, by: testDate(59)).isEmpty)
    #expect(try await due(.picture, store, by: testDate(60)) == [1663])
    #expect(try await store.fetches.status(of: .picture, of: number(1608)).state == .absent)
  }

  @Test(arguments: Engine.tested)
  func `store a missing double as a picture fact and a change, once`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    try await store.comics.save([record(1)])
    try await store.pictures.save([picture(1)])
    let before = try await store.comics.revision()
    try await store.fetches.noteAbsent(.doubleSize, of: number(1), lookAgain: testDate(60))
    #expect(try await store.comics.comics(changedSince: before).first?.picture?.doubleSize == .absent)
    let after = try await store.comics.revision()
    try await store.fetches.noteAbsent(.doubleSize, of: number(1), lookAgain: testDate(90))
    #expect(try await store.comics.revision() == after)
  }

  @Test(arguments: Engine.tested)
  func `are due after failures are forgotten, and what is stored stays`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    try await store.comics.save([record(1), record(2)])
    try await store.fetches.noteFailure(.picture, of: number(1), reason: "Cut.", nextTry: nil)
    try await store.fetches.noteAbsent(.doubleSize, of: number(1), lookAgain: nil)
    try await store.fetches.noteFailure(.picture, of: number(2), reason: "Cut.", nextTry: nil)
    try await store.fetches.forgetFailures(of: number(1))
    #expect(try await store.fetches.status(of: .picture, of: number(1)).state == .never)
    #expect(try await store.fetches.status(of: .doubleSize, of: number(1)).state == .never)
    #expect(try await store.fetches.status(of: .record, of: number(1)).state == .fetched)
    #expect(try await store.fetches.failures().map(\.number.value) == [2])
    #expect(try await due(.picture, store) == [1])
  }

  @Test(arguments: Engine.tested)
  func `can be made due again for anything`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    try await store.comics.save([record(1)])
    try await store.fetches.fetchAgain(.record, of: number(1))
    #expect(try await due(.record, store, upTo: 1) == [1])
    #expect(try await store.comics.count() == 1)
  }

  @Test(arguments: Engine.tested)
  func `count every number but 404 in their progress`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    try await store.comics.save([record(400), record(401)])
    try await store.fetches.noteAbsent(.record, of: number(402), lookAgain: nil)
    try await store.fetches.noteFailure(.record, of: number(403), reason: "No.", nextTry: nil)
    try await store.fetches.noteFailure(.record, of: number(900), reason: "Above the newest.", nextTry: nil)
    let progress = try await store.fetches.progress(of: .record, upTo: number(405))
    #expect(progress == FetchProgress(fetched: 2, absent: 1, failed: 1, never: 400))
    #expect(progress.total == 404)
  }

  @Test(arguments: Engine.tested)
  func `truncate a source's long reason`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    try await store.fetches.noteFailure(
      .record,
      of: number(1),
      reason: String(repeating: "é", count: 9000),
      nextTry: nil
    )
    #expect(try await store.fetches.status(of: .record, of: number(1)).reason?.count == 500)
  }

  @Test(arguments: Engine.tested)
  func `store the check for a new comic`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    #expect(try await store.fetches.newestCheck() == nil)
    var check = NewestCheck(
      newest: try number(3282),
      validator: StoredValidator(etag: "abc", lastModified: "yesterday"),
      checkedAt: testDate(10),
      succeededAt: testDate(10)
    )
    try await store.fetches.save(check)
    #expect(try await store.fetches.newestCheck() == check)
    check.checkedAt = testDate(20)
    check.failure = "xkcd can't be reached."
    try await store.fetches.save(check)
    #expect(try await store.fetches.newestCheck() == check)
  }

  private func due(
    _ part: ComicPart,
    _ store: Store,
    upTo newest: Int = 3282,
    by date: Date = testDate()
  ) async throws -> [Int] {
    try await store.fetches.numbersToFetch(part, upTo: number(newest), dueBy: date, limit: 3).map(\.value)
  }
}
