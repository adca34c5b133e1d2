// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import LongboxCore
import LongboxStore
import TestSupport
import Testing

@Suite("Opening a store") struct StoreOpeningTests {
  let folder = TemporaryFolder()

  @Test func `creates a folder that only its owner can access`() async throws {
    let nested = folder.path("a/b")
    let store = try Store.open(nested)
    try await store.comics.save([record(1)])
    #expect(try folder.permissions("a") == 0o700)
    #expect(try folder.permissions("a/b") == 0o700)
    #expect(try folder.permissions("a/b/pictures") == 0o700)
    for file in ["longbox.sqlite", "longbox.sqlite-wal", "longbox.sqlite-shm", "longbox.lock"] {
      #expect(try folder.permissions("a/b/\(file)") == 0o600, "\(file)")
    }
  }

  @Test func `allows one writer of a folder at a time`() async throws {
    var store: Store? = try Store.open(folder.url)
    try await store?.comics.save([record(1)])
    #expect(throws: inUse(folder.url)) { try Store.open(folder.url) }
    store = nil
    #expect(try await Store.open(folder.url).comics.count() == 1)
  }

  @Test func `allows a writer as soon as the last has closed`() async throws {
    let store = try Store.open(folder.url)
    try await store.closeOnNewThread()
    let next = try Store.open(folder.url)
    try await next.comics.save([record(1)])
    #expect(try await next.comics.count() == 1)
    withExtendedLifetime(store) {}
  }

  @Test func `allows readers beside a writer, who see its later changes`() async throws {
    let writer = try Store.open(folder.url)
    try await writer.comics.save([record(1)])
    let reader = try Store.openReading(folder.url)
    #expect(try await reader.comics.count() == 1)
    try await writer.comics.save([record(2)])
    #expect(try await reader.comics.count() == 2)
    #expect(try await reader.audit().isSound)
  }

  @Test func `whose values are of another kind says so when they are read`() async throws {
    let store = try Store.open(folder.url)
    try await store.comics.save([record(1), record(2)])
    try await store.closeOnNewThread()
    let file = folder.path("longbox.sqlite").path
    // A connection remembers its tables, so there are two.
    try await DatabaseQueue(path: file).write { database in
      try database.execute(
        sql: """
          PRAGMA writable_schema = ON;
          UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', '') WHERE name = 'comic';
          """
      )
    }
    try await DatabaseQueue(path: file).write { database in
      try database.execute(sql: "UPDATE comic SET fetched_at = 'soon' WHERE number = 1")
    }
    let damaged = try Store.openReading(folder.url)
    await #expect(
      throws: StoreError.damaged(file: file, reason: "unexpected value in the column fetched_at")
    ) { try await damaged.comics.comic(number(1)) }
    #expect(try await damaged.comics.comic(number(2)) != nil)
  }

  @Test func `for reading changes nothing`() async throws {
    let writer = try Store.open(folder.url)
    try await writer.comics.save([record(1)])
    try await writer.pictures.save([picture(1)])
    let stored = try #require(try await writer.pictures.picture(.standard, of: number(1)))
    try FileManager.default.removeItem(at: stored.file)
    let reader = try Store.openReading(folder.url)
    let rejection = StoreError.openedForReading(folder: folder.url.path)
    await #expect(throws: rejection) { try await reader.comics.save([record(2)]) }
    await #expect(throws: rejection) { try await reader.pictures.discard(of: number(1)) }
    #expect(try await reader.pictures.picture(.standard, of: number(1)) == nil)
    #expect(try await reader.fetches.status(of: .picture, of: number(1)).state == .fetched)
  }

  @Test func `for reading fails in an empty or missing folder`() throws {
    let nothing = StoreError.nothingStored(folder: folder.url.path)
    #expect(throws: nothing) { try Store.openReading(folder.url) }
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    #expect(throws: nothing) { try Store.openReading(folder.url) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test(arguments: ["garbage", "an overwritten header", "a page of noise"], [true, false])
  func `reports a damaged database, and leaves it unchanged`(damage: String, isReading: Bool) async throws {
    try await fill()
    let file = folder.path("longbox.sqlite")
    var bytes = try Data(contentsOf: file)
    switch damage {
    case "garbage":
      bytes = Data("This is no database, but it has a length. ".utf8 + pictureBytes(3, count: 5000))
    case "an overwritten header": bytes.replaceSubrange(0..<100, with: Data(count: 100))
    default: bytes.replaceSubrange(100..<4096, with: pictureBytes(3, count: 3996))
    }
    try bytes.write(to: file)
    let error = #expect(throws: StoreError.self) {
      _ = isReading ? try Store.openReading(folder.url) : try Store.open(folder.url)
    }
    guard case .damaged(file.path, _) = error else {
      Issue.record("\(damage) was reported as: \(String(describing: error))")
      return
    }
    #expect(try Data(contentsOf: file) == bytes)
  }

  @Test func `lets an audit or a read find damage in the middle`() async throws {
    try await fill()
    let file = folder.path("longbox.sqlite")
    var bytes = try Data(contentsOf: file)
    let last = bytes.count - 4096
    bytes.replaceSubrange(last..., with: pictureBytes(3, count: 4096))
    try bytes.write(to: file)
    let store = try Store.open(folder.url)
    let audit = try? await store.audit()
    #expect(audit?.isSound != true)
  }

  @Test func `rejects a database of a newer version, and leaves it unchanged`() async throws {
    try await fill()
    let file = folder.path("longbox.sqlite")
    try await DatabaseQueue(path: file.path).write { database in
      try database.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('999 albums on the moon')")
    }
    #expect(throws: StoreError.newerVersion(file: file.path)) { try Store.open(folder.url) }
    #expect(throws: StoreError.newerVersion(file: file.path)) { try Store.openReading(folder.url) }
  }

  @Test func `migrates a database of an older version only for a writer`() async throws {
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let file = folder.path("longbox.sqlite")
    try DatabaseQueue(path: file.path).close()
    try Data().write(to: file)
    #expect(throws: StoreError.olderVersion(file: file.path)) { try Store.openReading(folder.url) }
    #expect(try await Store.open(folder.url).comics.count() == 0)
  }

  @Test func `names a folder that can't be written, with the reason`() throws {
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    try Data("x".utf8).write(to: folder.path("file"))
    for path in [folder.path("file"), folder.path("file/below"), URL(filePath: "/proc/longbox")] {
      let error = #expect(throws: StoreError.self) { try Store.open(path) }
      guard case .unusable(_, let reason, _) = error else {
        Issue.record("\(path.path) was reported as: \(String(describing: error))")
        continue
      }
      #expect(!reason.isEmpty)
    }
  }

  @Test func `does not pass open files to child processes`() throws {
    let store = try Store.open(folder.url)
    let links = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    let lock = links.filter { link in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(link)"))?
        .hasPrefix(folder.url.path + "/longbox.lock") == true
    }
    #expect(lock.count == 1)
    for link in lock {
      let descriptor = try #require(Int32(link))
      #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }
    withExtendedLifetime(store) {}
  }

  /// Leaves a closed store with several pages of comics.
  private func fill() async throws {
    let store = try Store.open(folder.url)
    try await store.comics.save((1...200).map { try record($0, String(repeating: "x", count: 200)) })
    try await store.closeOnNewThread()
  }
}

@Suite("Opening a folder that another process has open", .timeLimit(.minutes(5))) struct StoreWaitingTests {
  private let folder = TemporaryFolder()
  private let clock = PausedClock()

  @Test func `waits until it is free`() async throws {
    let store = try Store.open(folder.url)
    try await store.comics.save([record(1)])
    async let opened = Store.open(StoreLocation(folder.url), within: .seconds(5), clock: clock)
    var sleepers = clock.asleep.makeAsyncIterator()
    await sleepers.next()
    clock.wake()
    await sleepers.next()
    try await store.closeOnNewThread()
    clock.wake()
    #expect(try await opened.comics.count() == 1)
  }

  @Test func `fails after the timeout, and names the process that holds the folder`() async throws {
    let store = try Store.open(folder.url)
    for _ in 0..<3 { clock.wake() }
    var asked: [StoreError] = []
    await #expect(throws: inUse(folder.url)) {
      _ = try await Store.open(StoreLocation(folder.url), within: .milliseconds(300), clock: clock) { error in
        asked.append(error)
        return true
      }
    }
    #expect(asked == Array(repeating: inUse(folder.url), count: 3))
    withExtendedLifetime(store) {}
  }

  @Test func `fails at once if the caller chooses not to wait for that holder`() async throws {
    let store = try Store.open(folder.url)
    await #expect(throws: inUse(folder.url)) {
      _ = try await Store.open(StoreLocation(folder.url), within: .seconds(5), clock: clock) { _ in false }
    }
    withExtendedLifetime(store) {}
  }

  @Test func `names no process if the lock file can't be read as a holder`() async throws {
    let store = try Store.open(folder.url)
    for text in ["", "\n", "\u{1B}[2J\n", String(repeating: "ü", count: 200)] {
      try Data(text.utf8).write(to: folder.path("longbox.lock"))
      #expect(throws: StoreError.inUse(folder: folder.url.path)) { try Store.open(folder.url) }
    }
    withExtendedLifetime(store) {}
  }

  @Test func `ends when its task is cancelled`() async throws {
    let store = try Store.open(folder.url)
    let folder = folder.url
    let task = Task { _ = try await Store.open(StoreLocation(folder), within: .seconds(600)) }
    task.cancel()
    await #expect(throws: StoreError.cancelled) { try await task.value }
    withExtendedLifetime(store) {}
  }
}
