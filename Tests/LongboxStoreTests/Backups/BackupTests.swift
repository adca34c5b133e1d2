// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import LongboxCore
import LongboxStore
import Testing
import TestSupport

@Suite("A backup") struct BackupTests {
  let folder = TemporaryFolder()

  private var data: URL { folder.path("data") }
  private var backup: URL { folder.path("saved.longbox") }

  /// A store with two comics, a picture and a file beside them; the store stays open.
  private func filled() async throws -> Store {
    let store = try Store.open(data)
    try await store.comics.save([record(1), record(2)])
    try await store.pictures.save([picture(1)])
    try folder.write(Array("key".utf8), to: "data/vapid.pem")
    return store
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.path(name)))
  }

  private func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test func `brings back what was stored, while a server runs on it`() async throws {
    let store = try await filled()
    let written = try await Store.openReading(data).backUp(to: backup, with: ["vapid.pem", "absent.yaml"])
    #expect(written.files == 4, "database, picture, thumbnail, key")
    #expect(try Store.checkBackup(backup) == written)
    #expect(try folder.permissions("saved.longbox") == 0o600)
    try await store.comics.save([record(3)])

    let elsewhere = folder.path("elsewhere")
    #expect(try Store.restore(backup, to: elsewhere) == nil)
    let restored = try Store.open(elsewhere)
    #expect(try await restored.comics.count() == 2)
    #expect(try await restored.audit(readingPictures: true).isSound)
    #expect(try await restored.audit().wholePictures == 2)
    #expect(try bytes("elsewhere/vapid.pem") == Array("key".utf8))
  }

  @Test func `keeps the folder whose place it takes`() async throws {
    let store = try await filled()
    _ = try await store.backUp(to: backup, with: [])
    try await store.comics.save([record(3)])
    try await store.closeOnNewThread()
    let old = try #require(try Store.restore(backup, to: data))
    #expect(try await Store.openReading(data).comics.count() == 2)
    #expect(try await Store.openReading(old).comics.count() == 3)
    #expect(try names(in: folder.url) == ["data", "data.before-restore", "saved.longbox"])
    #expect(try Store.restore(backup, to: data)?.lastPathComponent == "data.before-restore-2")
  }

  @Test func `is not restored where a server runs`() async throws {
    let store = try await filled()
    _ = try await store.backUp(to: backup, with: [])
    #expect(throws: inUse(data)) { try Store.restore(backup, to: data) }
    try await store.comics.save([record(3)])
    #expect(try await store.comics.count() == 3)
  }

  @Test func `replaces no file`() async throws {
    let store = try await filled()
    try folder.write([1], to: "saved.longbox")
    await #expect(throws: StoreError.backupExists(file: backup.path)) {
      try await store.backUp(to: backup, with: [])
    }
    #expect(try bytes("saved.longbox") == [1])
  }

  @Test func `is refused if it is something else`() async throws {
    try folder.write(Array("not a backup".utf8), to: "text")
    #expect(throws: StoreError.notABackup(file: folder.path("text").path)) {
      try Store.checkBackup(folder.path("text"))
    }
    let store = try await filled()
    try await store.closeOnNewThread()
    let database = data.appending(path: "longbox.sqlite")
    #expect(throws: StoreError.notABackup(file: database.path)) { try Store.checkBackup(database) }
    let absent = folder.path("absent")
    #expect(throws: StoreError.unusable(path: absent.path, reason: "No such file or directory")) {
      try Store.restore(absent, to: data)
    }
  }

  @Test func `with a flipped byte is found out, or the byte says nothing`() async throws {
    let store = try await filled()
    _ = try await store.backUp(to: backup, with: ["vapid.pem"])
    let whole = try bytes("saved.longbox")
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    var harmless = 0
    for _ in 0..<300 {
      var changed = whole
      changed[Int.random(in: changed.indices, using: &generator)] ^= UInt8.random(
        in: 1...255,
        using: &generator
      )
      try folder.write(changed, to: "changed")
      let target = folder.path("target")
      do {
        _ = try Store.checkBackup(folder.path("changed"))
      } catch {
        #expect(throws: StoreError.self, "seed \(seed)") {
          try Store.restore(folder.path("changed"), to: target)
        }
        #expect(!FileManager.default.fileExists(atPath: target.path))
        continue
      }
      // SQLite doesn't use all bytes of its pages.
      harmless += 1
      _ = try Store.restore(folder.path("changed"), to: target)
      #expect(try bytes("target/vapid.pem") == Array("key".utf8), "seed \(seed)")
      #expect(
        try await Store.openReading(target).audit(readingPictures: true).wholePictures == 2,
        "seed \(seed)"
      )
      try FileManager.default.removeItem(at: target)
    }
    #expect(harmless < 60, "seed \(seed)")
  }

  @Test func `with values of another kind is found out`() async throws {
    let store = try await filled()
    _ = try await store.backUp(to: backup, with: [])
    try await DatabaseQueue(path: backup.path).write { database in
      try database.execute(
        sql: """
          DROP TABLE file;
          CREATE TABLE file (name, byteCount, hash);
          INSERT INTO file VALUES (NULL, 'many', 7);
          """
      )
    }
    let damage = StoreError.backupDamaged(
      file: backup.path,
      part: "SQLite error 11: unexpected value in the column name"
    )
    #expect(throws: damage) { try Store.checkBackup(backup) }
    #expect(throws: damage) { try Store.restore(backup, to: folder.path("target")) }
  }

  /// What was done to a backup whose rows still have the right hashes.
  static let changes = [
    "DELETE FROM file WHERE name = 'vapid.pem'; DELETE FROM piece WHERE file = 'vapid.pem'",
    "DELETE FROM file WHERE name = 'vapid.pem'",
    "DELETE FROM piece WHERE file = 'vapid.pem'",
    "DELETE FROM file WHERE name = 'longbox.sqlite'; DELETE FROM piece WHERE file = 'longbox.sqlite'",
    "DELETE FROM file; DELETE FROM piece",
    "UPDATE file SET name = 'other.pem' WHERE name = 'vapid.pem'; UPDATE piece SET file = 'other.pem' WHERE file = 'vapid.pem'",
    "INSERT INTO piece (file, place, bytes, hash) SELECT 'stray', 0, bytes, hash FROM piece LIMIT 1",
    "DELETE FROM list", "DROP TABLE list", "INSERT INTO list SELECT hash FROM list",
  ]

  @Test(arguments: changes) func `with rows that were removed or added is found out`(change: String)
    async throws
  {
    let store = try await filled()
    _ = try await store.backUp(to: backup, with: ["vapid.pem"])
    try await DatabaseQueue(path: backup.path).write { try $0.execute(sql: change) }
    try expectDamage()
  }

  /// Backups of version 1 have no hash of their list.
  @Test func `of the first version is restored, but not without the database`() async throws {
    let store = try await filled()
    let written = try await store.backUp(to: backup, with: ["vapid.pem"])
    try await DatabaseQueue(path: backup.path).write { database in
      try database.execute(sql: "DROP TABLE list; PRAGMA user_version = 1")
    }
    #expect(try Store.checkBackup(backup) == written)
    #expect(try Store.restore(backup, to: folder.path("target")) == nil)
    #expect(try await Store.openReading(folder.path("target")).comics.count() == 2)
    try FileManager.default.removeItem(at: folder.path("target"))
    try await DatabaseQueue(path: backup.path).write { try $0.execute(sql: Self.changes[3]) }
    try expectDamage()
  }

  @Test(.timeLimit(.minutes(1))) func `is not waited for where a pipe is`() throws {
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
    #expect(mkfifo(backup.path, 0o600) == 0)
    let rejection = StoreError.unusable(path: backup.path, reason: "it is neither a file nor a folder")
    #expect(throws: rejection) { try Store.checkBackup(backup) }
    #expect(throws: rejection) { try Store.restore(backup, to: folder.path("target")) }
    #expect(!Store.isDatabaseCopy(backup))
    let database = data.appending(path: "longbox.sqlite").path
    #expect(mkfifo(database, 0o600) == 0)
    let other = StoreError.unusable(path: database, reason: "it is neither a file nor a folder")
    #expect(throws: other) { try Store.open(data) }
    #expect(throws: other) { try Store.openReading(data) }
  }

  /// Checks that the backup is refused as damaged, and nothing is restored from it.
  private func expectDamage() throws {
    let target = folder.path("target")
    for attempt in [{ _ = try Store.checkBackup(backup) }, { _ = try Store.restore(backup, to: target) }] {
      #expect {
        try attempt()
      } throws: { error in
        guard case StoreError.backupDamaged = error else { return false }
        return true
      }
    }
    #expect(!FileManager.default.fileExists(atPath: target.path))
  }

  /// The size of the first file by name, and that of the second, if the sum matters.
  @Test(
    arguments: [(Int.max, nil), (-1, nil), (.min, nil), (Int.max / 2 + 1, nil), (1, Int.max - 1)]
      as [(Int, Int?)]
  )
  func `with sizes that can't be added up is found out`(first: Int, second: Int?) async throws {
    let store = try await filled()
    _ = try await store.backUp(to: backup, with: [])
    try await DatabaseQueue(path: backup.path).write { database in
      let names = try String.fetchAll(database, sql: "SELECT name FROM file ORDER BY name")
      for (name, size) in zip(names, [first, second]) {
        guard let size else { continue }
        try database.execute(sql: "UPDATE file SET byteCount = ? WHERE name = ?", arguments: [size, name])
      }
    }
    try expectDamage()
  }

  @Test func `of a newer Longbox changes nothing`() async throws {
    let store = try await filled()
    let database = try DatabaseQueue(path: data.appending(path: "longbox.sqlite").path)
    try await database.write { database in
      try database.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('999 from the future')")
    }
    _ = try await store.backUp(to: backup, with: [])
    let target = folder.path("target")
    #expect {
      try Store.restore(backup, to: target)
    } throws: { error in
      guard case StoreError.newerVersion = error else { return false }
      return true
    }
    #expect(!FileManager.default.fileExists(atPath: target.path))
  }
}
