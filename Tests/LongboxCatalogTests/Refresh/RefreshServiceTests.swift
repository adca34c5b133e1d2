// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxCore
import LongboxStore
import LongboxUpstream
import ServiceLifecycle
import TestSupport
import Testing

@testable import LongboxCatalog

@Suite("The refresh service", .timeLimit(.minutes(10))) struct RefreshServiceTests {
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

@Suite("The poll schedule") struct PollScheduleTests {
  /// The time of a check, and the minutes until the next without jitter; all UTC.
  @Test(arguments: [
    ("2027-01-11T04:00:00Z", 15, "Monday, as the hours begin"),
    ("2027-01-11T15:59:59Z", 15, "Monday, as they end"),
    ("2027-01-11T16:00:00Z", 60, "Monday, after them"), ("2027-01-13T12:00:00Z", 15, "Wednesday noon"),
    ("2027-01-15T09:30:00Z", 15, "Friday morning"), ("2027-01-12T12:00:00Z", 60, "Tuesday noon"),
    ("2027-01-16T12:00:00Z", 60, "Saturday noon"), ("2027-01-17T12:00:00Z", 60, "Sunday noon"),
    ("2027-01-11T03:30:00Z", 30, "Monday, half an hour before"),
    ("2027-01-11T03:00:00Z", 60, "an hour before"),
    ("2027-01-11T02:59:00Z", 60, "more than an hour before"), ("2027-01-10T23:59:00Z", 60, "Sunday night"),
    ("2028-02-29T12:00:00Z", 60, "a leap day, a Tuesday"),
  ])
  func `is frequent on publication days and hours, otherwise rare`(date: String, minutes: Int, why: String)
    throws
  {
    let date = try #require(try? Date(date, strategy: .iso8601))
    let next = PollSchedule().next(after: date, jitter: 0)
    #expect(next.timeIntervalSince(date) == Double(minutes * 60), "\(why)")
  }

  @Test func `adds up to a tenth of jitter, and never subtracts`() throws {
    let date = try Date("2027-01-12T12:00:00Z", strategy: .iso8601)
    #expect(PollSchedule().next(after: date, jitter: 0.5).timeIntervalSince(date) == 3_780)
    #expect(PollSchedule().next(after: date, jitter: 0.999).timeIntervalSince(date) < 3_960)
  }

  @Test func `accepts a fixed interval for tests`() throws {
    let date = try Date("2027-01-11T12:00:00Z", strategy: .iso8601)
    #expect(PollSchedule(every: 2).next(after: date, jitter: 0).timeIntervalSince(date) == 2)
  }
}
