// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxCore
import LongboxStore
import LongboxUpstream
import ServiceLifecycle
import Testing

@testable import LongboxCatalog

@Suite(.timeLimit(.minutes(10))) struct `Keeping the catalog up to date` {
  private let xkcd = LittleXkcd(latest: 12)

  /// Runs the upkeep beside a test, and shuts it down at its end.
  private func withUpkeep(_ bench: CatalogBench, _ body: () async throws -> Void) async throws {
    let group = ServiceGroup(configuration: .init(services: [bench.catalog.upkeep], logger: .silent))
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await group.run() }
      do {
        try await body()
      } catch {
        tasks.cancelAll()
        throw error
      }
      await group.triggerGracefulShutdown()
      try await tasks.waitForAll()
    }
  }

  @Test func `it fetches everything by itself, and leaves the archive on the disk`() async throws {
    try await withCatalog(xkcd) { bench async throws in
      try await withUpkeep(bench) {
        await eventually { bench.catalog.snapshot.progress?.pictures == 12 }
      }
      #expect(bench.catalog.snapshot.archive.count == 12)
      #expect(FileManager.default.fileExists(atPath: bench.folder.path("archive.lbx").path))
    }
  }

  @Test func `told not to fill, it looks for the newest comic and no further`() async throws {
    try await withCatalog(xkcd, settings: .init(fills: false)) { bench async throws in
      try await withUpkeep(bench) { await eventually { bench.catalog.snapshot.archive.count > 0 } }
      #expect(xkcd.takePaths() == ["/info.0.json"])
    }
  }

  @Test(arguments: ["/info.0.json", "/11/info.0.json", "/comics/bread_12.png"])
  func `a source that keeps it waiting does not hold up the end`(path: String) async throws {
    xkcd.hold(path)
    try await withCatalog(xkcd) { bench async throws in
      try await withUpkeep(bench) { await xkcd.arrival(at: path) }
      #expect(xkcd.takePaths().contains(path))
    }
  }

  @Test func `it does not look again before it is time`() async throws {
    let folder = TemporaryFolder()
    let time = SettableTime()
    try await withCatalog(xkcd, in: folder, time: time) { try await $0.bringEverything() }
    _ = xkcd.takePaths()
    time.advance(by: 5 * 60)
    try await withCatalog(xkcd, in: folder, time: time) { bench async throws in
      try await withUpkeep(bench) { await eventually { bench.catalog.snapshot.progress != nil } }
    }
    #expect(xkcd.takePaths() == [])
    time.advance(by: 60 * 60)
    try await withCatalog(xkcd, in: folder, time: time) { bench async throws in
      try await withUpkeep(bench) {
        try await eventually { try await bench.store.newestCheck()?.succeededAt == time.now }
      }
    }
    #expect(xkcd.takePaths() == ["/info.0.json"])
  }
}
