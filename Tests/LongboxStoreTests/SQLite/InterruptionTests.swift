// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import Testing
import TestSupport

@testable import LongboxStore

@Suite("A store whose process was killed") struct InterruptionTests {
  let folder = TemporaryFolder()

  @Test func `is sound after a kill before a picture's file has its name`() async throws {
    let store = try await storeWithComics()
    let name = ContentName(of: pictureBytes(1), ending: "png")
    _ = try store.sqlite.files.pictures.writeUnfinished(pictureBytes(1), as: name)
    let left = try folder.copy()
    #expect(left.files(in: "pictures").count == 1)
    let opened = try Store.open(left.url)
    #expect(left.files(in: "pictures").isEmpty)
    #expect(
      try await opened.fetches.numbersToFetch(.picture, upTo: number(1), dueBy: testDate(), limit: 1) == [
        number(1)
      ]
    )
    #expect(try await opened.audit(readingPictures: true).isSound)
  }

  @Test func `is sound after a kill between a picture's file and its row`() async throws {
    let store = try await storeWithComics()
    try store.sqlite.files.pictures.write(
      pictureBytes(1),
      as: ContentName(of: pictureBytes(1), ending: "png")
    )
    let left = try folder.copy()
    let opened = try Store.open(left.url)
    #expect(try await opened.pictures.picture(.standard, of: number(1)) == nil)
    let audit = try await opened.audit(readingPictures: true)
    #expect(audit.isSound)
    #expect(audit.unusedFiles == 1)
    #expect(try await opened.pictures.sweep() == PictureTotals(files: 1, bytes: 300))
    #expect(left.files(in: "pictures").isEmpty)
    #expect(try await opened.pictures.sweep() == PictureTotals())
    try await opened.pictures.save([picture(1)])
    #expect(try await opened.pictures.sweep() == PictureTotals())
    #expect(try await opened.audit(readingPictures: true).wholePictures == 2)
  }

  @Test func `is sound after a kill between a cover's file and its row`() async throws {
    let store = try await storeWithComics()
    try store.sqlite.files.artwork.write(pictureBytes(1), as: ContentName(of: pictureBytes(1), ending: "jpg"))
    let left = try folder.copy()
    let opened = try Store.open(left.url)
    #expect(try await opened.audit().unusedFiles == 1)
    #expect(try await opened.pictures.sweep() == PictureTotals(files: 1, bytes: 300))
    #expect(left.files(in: "artwork").isEmpty)
  }

  /// Cuts the log at any byte, as a kill or power loss does: the first comics remain, each with its whole
  /// record and whole pictures.
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `keeps whole changes, whatever part of the log was written`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let store = try await storeWithComics(0)
    let comics = 12
    for value in 1...comics {
      try await store.comics.save([
        record(value, String(repeating: "t", count: Int.random(in: 1...9000, using: &random)))
      ])
      try await store.pictures.save([picture(value)])
    }
    let log = try Data(contentsOf: folder.path("longbox.sqlite-wal"))
    var kept: Set<Int> = []
    for _ in 1...12 {
      let left = try folder.copy()
      try FileManager.default.removeItem(at: left.path("longbox.sqlite-shm"))
      let length = Int.random(in: 0...log.count, using: &random)
      try log.prefix(length).write(to: left.path("longbox.sqlite-wal"))
      let opened = try Store.open(left.url)
      let stored = try await opened.comics.comics(changedSince: .empty)
      #expect(
        stored.map(\.number.value) == Array(0..<stored.count).map { $0 + 1 },
        "seed \(seed), \(length) bytes"
      )
      for comic in stored {
        #expect(comic.raw.starts(with: #"{"num": "#.utf8) && comic.raw.last == UInt8(ascii: "}"))
      }
      #expect(stored.dropLast().allSatisfy { $0.picture != nil }, "seed \(seed), \(length) bytes")
      let audit = try await opened.audit(readingPictures: true)
      #expect(audit.isSound, "seed \(seed), \(length) bytes")
      kept.insert(stored.count)
    }
    #expect(kept.count > 2, "the cuts fell too close together: seed \(seed)")
  }

  /// Kills a filling process with kill -9 at a random time, repeatedly on one folder.
  ///
  /// The time counts from the first comic, so that each round stores something even on a busy machine.
  @Test func `is sound after a real kill -9 during a fill`() async throws {
    var random = SeededGenerator(seed: 0x10_46_B0_C5)
    try await Store.open(folder.url).closeOnNewThread()
    var before = 0
    for round in 1...5 {
      let path = folder.url.path
      let delay = UInt32.random(in: 0...60_000, using: &random)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, delay = delay as UInt32, round = round as Int] in
        let store = try Store.open(URL(filePath: path))
        for value in 1... {
          try await store.comics.save([record(value == 404 ? 405 : value, "Round \(round)")])
          try await store.pictures.save([picture(value == 404 ? 405 : value, seed: value * round)])
          let done = try OpenFile(path + "/done", O_WRONLY | O_CREAT | O_TRUNC)
          try done.write(Array("\(round) \(value)".utf8))
          if value == 1 { killThisProcess(after: delay) }
        }
      }
      let store = try Store.open(folder.url)
      let audit = try await store.audit(readingPictures: true)
      #expect(audit.isSound, "round \(round)")
      #expect(audit.gaps.isEmpty, "round \(round)")
      #expect(audit.comics >= before, "round \(round)")
      before = audit.comics
      try await store.closeOnNewThread()
    }
    #expect(before > 0, "no round stored anything")
  }

  private func storeWithComics(_ count: Int = 1) async throws -> Store {
    let store = try Store.open(folder.url)
    if count > 0 { try await store.comics.save((1...count).map { try record($0) }) }
    return store
  }
}
