// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxStore
import Testing
import TestSupport

@testable import LongboxServer

@Suite("Daily backups") struct DailyBackupsTests {
  private let folder = TemporaryFolder()
  private let time = SettableTime()

  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path("kept").path)) ?? []).sorted()
  }

  private func backups(of store: Store, keeping kept: Int = 3) -> DailyBackups {
    DailyBackups(
      store: store,
      folder: BackupFolder(folder.path("kept"), keeping: kept),
      now: { [time] in time.now },
      logger: .silent
    )
  }

  @Test func `are one a day, of which the last are kept`() async throws {
    let store = try Store.open(folder.path("data"))
    let backups = backups(of: store)
    #expect(try await backups.backUpIfDue())
    #expect(try await !backups.backUpIfDue())
    #expect(names == ["longbox-2027-01-15.backup"])
    #expect(try folder.permissions("kept") == 0o700)
    #expect(try folder.permissions("kept/longbox-2027-01-15.backup") == 0o600)
    for _ in 1...4 {
      time.advance(by: 86_400)
      #expect(try await backups.backUpIfDue())
    }
    #expect(names == ["17", "18", "19"].map { "longbox-2027-01-\($0).backup" })
    #expect(try Store.restore(folder.path("kept/\(names[0])"), to: folder.path("elsewhere")) == nil)
  }

  @Test func `of days to come, which a clock ahead has made, go before new ones`() async throws {
    let store = try Store.open(folder.path("data"))
    let backups = backups(of: store)
    for day in 1...4 { try folder.write([1], to: "kept/longbox-2031-01-0\(day).backup") }
    #expect(try await backups.backUpIfDue())
    #expect(names.first == "longbox-2027-01-15.backup" && names.count == 3)
    #expect(try backups.folder.entries(at: time.now).first?.day == "2027-01-15")
    for _ in 1...2 {
      time.advance(by: 86_400)
      #expect(try await backups.backUpIfDue())
      #expect(try await !backups.backUpIfDue(), "it has stayed")
    }
    #expect(names == ["15", "16", "17"].map { "longbox-2027-01-\($0).backup" })
  }

  @Test func `leave other files alone, but not what a killed server left`() async throws {
    let store = try Store.open(folder.path("data"))
    let others = [
      "longbox-mine.backup", "longbox-2020-01-01.backup.old", "photos-2020-01-01.backup",
      "longbox-mine.backup.unfinished", "longbox-mine.backup.database",
    ]
    for name in others + ["longbox-2027-01-14.backup.unfinished", "longbox-2027-01-14.backup.database"] {
      try folder.write([1], to: "kept/\(name)")
    }
    #expect(try await backups(of: store).backUpIfDue())
    #expect(names == (others + ["longbox-2027-01-15.backup"]).sorted())
  }

  @Test func `that fail remove nothing`() async throws {
    let store = try Store.open(folder.path("data"))
    let backups = backups(of: store, keeping: 1)
    #expect(try await backups.backUpIfDue())
    time.advance(by: 86_400)
    try await store.closeOnNewThread()
    await #expect(throws: (any Error).self) { try await backups.backUpIfDue() }
    #expect(names == ["longbox-2027-01-15.backup"])
  }
}
