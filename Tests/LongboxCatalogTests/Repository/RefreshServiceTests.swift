// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxCore
import LongboxStore
import LongboxUpstream
import ServiceLifecycle
import Testing
import TestSupport

@testable import LongboxCatalog

@Suite(.timeLimit(.minutes(10))) struct `The refresh service` {
  private let xkcd = FakeXkcd(latest: 12)

  /// Runs the service during a test, and shuts it down at its end.
  private func withRefreshService(_ bench: CatalogBench, _ body: () async throws -> Void) async throws {
    let services: [any Service] = [bench.catalog.publishingService, bench.catalog.refreshService]
    let group = ServiceGroup(configuration: .init(services: services, logger: .silent))
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

  @Test func `fetches everything, and writes the archive`() async throws {
    try await withCatalog(xkcd) { bench async throws in
      try await withRefreshService(bench) {
        await eventually { bench.catalog.snapshot.progress?.pictures == 12 }
      }
      #expect(bench.catalog.snapshot.archive.count == 12)
      #expect(FileManager.default.fileExists(atPath: bench.folder.path("archive.lbx").path))
    }
  }

  @Test func `only checks for the newest comic when filling is off`() async throws {
    try await withCatalog(xkcd, settings: .init(fills: false)) { bench async throws in
      try await withRefreshService(bench) { await eventually { bench.catalog.snapshot.archive.count > 0 } }
      #expect(xkcd.takePaths() == ["/info.0.json"])
    }
  }

  @Test(arguments: ["/info.0.json", "/11/info.0.json", "/comics/bread_12.png"])
  func `stops while the source keeps a request waiting`(path: String) async throws {
    xkcd.hold(path)
    try await withCatalog(xkcd) { bench async throws in
      try await withRefreshService(bench) { await xkcd.arrival(at: path) }
      #expect(xkcd.takePaths().contains(path))
    }
  }

  @Test func `does not check again before the next check is due`() async throws {
    let folder = TemporaryFolder()
    let time = SettableTime()
    try await withCatalog(xkcd, in: folder, time: time) { try await $0.bringEverything() }
    _ = xkcd.takePaths()
    time.advance(by: 5 * 60)
    try await withCatalog(xkcd, in: folder, time: time) { bench async throws in
      try await withRefreshService(bench) { await eventually { bench.catalog.snapshot.progress != nil } }
    }
    #expect(xkcd.takePaths() == [])
    time.advance(by: 60 * 60)
    try await withCatalog(xkcd, in: folder, time: time) { bench async throws in
      try await withRefreshService(bench) {
        try await eventually { try await bench.store.fetches.newestCheck()?.succeededAt == time.now }
      }
    }
    #expect(xkcd.takePaths() == ["/info.0.json"])
  }
}
