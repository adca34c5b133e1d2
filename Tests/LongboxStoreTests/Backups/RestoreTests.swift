// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TestSupport

@testable import LongboxStore

@Suite("Restoring a backup") struct RestoreTests {
  private let folder = TemporaryFolder()

  private var data: URL { folder.path("data") }
  private var old: URL { folder.path("data.before-restore") }
  private var backup: URL { folder.path("saved.longbox") }

  /// A backup of one comic, and a data folder with two.
  private func lay() async throws {
    let store = try Store.open(data)
    try await store.comics.save([record(1)])
    try await store.pictures.save([picture(1)])
    _ = try await store.backUp(to: backup, with: [])
    try await store.comics.save([record(2)])
    try await store.closeOnNewThread()
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }

  private func count(_ folder: URL) async throws -> Int { try await Store.openReading(folder).comics.count() }

  @Test(arguments: [true, false]) func `swaps the folders, with one exchange or two renames`(exchanges: Bool)
    async throws
  {
    try await lay()
    let swap = exchanges ? FolderSwap() : FolderSwap { _, _ in false }
    #expect(try Store.restore(backup, to: data, by: swap) == old)
    #expect(try names() == ["data", "data.before-restore", "saved.longbox"])
    #expect(try await count(data) == 1)
    #expect(try await count(old) == 2)
    #expect(try await Store.open(data).audit(readingPictures: true).isSound)
  }

  /// The states that a power cut can leave behind.
  @Test func `has a whole folder in its place before and after the exchange`() async throws {
    try await lay()
    let (folder, data) = (folder, data)
    let swap = FolderSwap { one, other in
      let before = (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()) ?? []
      #expect(before == ["data", "data.before-restore", "saved.longbox"])
      #expect(other == data.path)
      for place in [one, other] {
        #expect(throws: Never.self) { try Store.openReading(URL(filePath: place)).close() }
      }
      #expect(FolderSwap().exchange(one, other), "the file system of the tests can exchange names")
      return true
    }
    _ = try Store.restore(backup, to: data, by: swap)
    #expect(try await count(data) == 1)
    #expect(try await count(old) == 2)
  }

  /// After a cut before the exchange: the restored folder has the other name already.
  @Test func `begins again after a power cut, and loses nothing`() async throws {
    try await lay()
    let fresh = folder.path("data.restoring")
    try FileManager.default.createDirectory(at: fresh, withIntermediateDirectories: true)
    try Data("part".utf8).write(to: fresh.appending(path: "longbox.sqlite"))
    _ = try Store.restore(backup, to: old)
    #expect(try Store.restore(backup, to: data) == folder.path("data.before-restore-2"))
    #expect(try names() == ["data", "data.before-restore", "data.before-restore-2", "saved.longbox"])
    #expect(try await count(folder.path("data.before-restore-2")) == 2)
  }

  /// After a cut between the two renames.
  @Test func `works where the data folder is gone`() async throws {
    try await lay()
    try FileManager.default.moveItem(at: data, to: old)
    #expect(try Store.restore(backup, to: data) == nil)
    #expect(try await count(data) == 1)
    #expect(try await count(old) == 2)
  }

  @Test func `reports its progress, as do backup and check`() async throws {
    try await lay()
    var steps: [(done: Int, total: Int)] = []
    let summary = try Store.checkBackup(backup) { steps.append(($0, $1)) }
    #expect(steps.last.map { $0.done == $0.total && $0.total == summary.bytes } == true)
    steps = []
    _ = try Store.restore(backup, to: data) { steps.append(($0, $1)) }
    #expect(steps.map(\.done) == steps.map(\.done).sorted())
    #expect(steps.last.map { $0.done == $0.total && $0.total == 2 * summary.bytes } == true)
    steps = []
    let second = try await Store.openReading(data).backUp(to: folder.path("second"), with: []) {
      steps.append(($0, $1))
    }
    #expect(steps.map(\.done) == Array(0..<second.files))
    #expect(steps.allSatisfy { $0.total == second.files })
  }

  @Test func `stops when it is cancelled, and leaves nothing`() async throws {
    try await lay()
    let (backup, data) = (backup, data)
    for isDone in [{ $0 == 1 }, { $0 > 1 }] as [@Sendable (Int) -> Bool] {
      let task = Task {
        var calls = 0
        _ = try Store.restore(backup, to: data) { _, _ in
          calls += 1
          if isDone(calls) { withUnsafeCurrentTask { $0?.cancel() } }
        }
      }
      await #expect(throws: StoreError.cancelled) { try await task.value }
    }
    let other = folder.path("other")
    let task = Task {
      _ = try await Store.openReading(data).backUp(to: other, with: []) { _, _ in
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    await #expect(throws: StoreError.cancelled) { try await task.value }
    #expect(try names() == ["data", "saved.longbox"])
    #expect(try await count(data) == 2)
  }
}
