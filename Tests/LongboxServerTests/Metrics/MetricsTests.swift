// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HummingbirdTesting
import LongboxStore
import Synchronization
import Testing
import TestSupport

@testable import LongboxServer

@Suite("The metrics", .timeLimit(.minutes(5))) struct MetricsTests {
  private let folder = TemporaryFolder()
  private let time = SettableTime()

  private func controller(
    _ back: CatalogBench,
    _ store: Store,
    _ metrics: ServerMetrics,
    incidents: IncidentLog = IncidentLog(logger: .silent)
  ) -> MetricsController {
    var settings = ServerSettings()
    settings.backups = BackupFolder(folder.path("kept"))
    return MetricsController(
      metrics: metrics,
      catalog: back.catalog,
      store: store,
      rendered: RenderedPages(limit: 1 << 20),
      settings: settings,
      incidents: incidents,
      now: { [time] in time.now }
    )
  }

  /// The value of a metric without labels.
  private func value(_ name: String, _ metrics: ServerMetrics) -> String? {
    let line = metrics.factory.text().split(separator: "\n").first { $0.hasPrefix("\(name) ") }
    return line.map { String($0.dropFirst(name.count + 1)) }
  }

  @Test func `have an age of the newest backup, even if there is none or its folder can't be read`()
    async throws
  {
    try await withCatalog(FakeXkcd(latest: 3), time: time) { back in
      let metrics = ServerMetrics(startedAt: time.now)
      let controller = controller(back, back.store, metrics)
      time.advance(by: 60)
      await controller.measure(metrics)
      #expect(value("longbox_backup_age_seconds", metrics) == "60", "the time since the start")

      let file = "kept/longbox-2027-01-15.backup"
      try folder.write([1], to: file)
      try FileManager.default.setAttributes(
        [.modificationDate: time.now],
        ofItemAtPath: folder.path(file).path
      )
      time.advance(by: 10)
      await controller.measure(metrics)
      #expect(value("longbox_backup_age_seconds", metrics) == "10")

      try FileManager.default.removeItem(at: folder.path("kept"))
      time.advance(by: 100)
      await controller.measure(metrics)
      #expect(value("longbox_backup_age_seconds", metrics) == "110")
    }
  }

  @Test func `come without those of a store that can't be read, and the log says so once`() async throws {
    try await withCatalog(FakeXkcd(latest: 3), time: time) { back in
      let store = try Store.open(folder.path("data"))
      try await store.fetches.save(NewestCheck(newest: nil, checkedAt: time.now, succeededAt: time.now))
      let recorder = LogRecorder()
      let metrics = ServerMetrics(startedAt: time.now)
      let controller = controller(back, store, metrics, incidents: IncidentLog(logger: recorder.logger))
      await controller.measure(metrics)
      #expect(value("longbox_source_answer_age_seconds", metrics) == "0")
      #expect(recorder.lines.isEmpty)

      try await store.closeOnNewThread()
      time.advance(by: 100)
      for _ in 1...2 { await controller.measure(metrics) }
      #expect(value("longbox_source_answer_age_seconds", metrics) == "100")
      #expect(value("longbox_source_down", metrics) == "0")
      #expect(recorder.lines.map(\.text) == [Incident.unmeasuredStore.sentence])
    }
  }

  @Test func `count requests that can't be read, and no request twice`() async throws {
    try await withCatalog(FakeXkcd(latest: 3), time: time) { back in
      let metrics = ServerMetrics()
      var settings = ServerSettings(port: 0)
      settings.metrics = metrics
      let application = Server.application(
        catalog: back.catalog,
        store: back.store,
        settings: settings,
        now: { back.time.now },
        logger: .silent
      )
      try await application.test(.live) { client in
        let port = try #require(client.port)
        let before = "GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n"
        for request in [
          "NONSENSE\r\n\r\n", "GET / HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n",
        ] {
          _ = try await RawExchange.send(before + request, port: port)
        }
        // The body can't be read, so this one has a head already.
        _ = try await RawExchange.send(
          "POST /favorites/set HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nNONSENSE\r\n",
          port: port
        )
      }
      let counts = metrics.factory.text().split(separator: "\n")
        .filter { $0.hasPrefix("longbox_http_requests_total{") && !$0.hasSuffix(" 0") }
      #expect(
        counts.contains(#"longbox_http_requests_total{method="other",route="unknown",status="400"} 2"#)
      )
      #expect(
        counts.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }.reduce(0, +) == 5,
        "\(counts)"
      )
    }
  }

  /// Something that another part of the server counts.
  private final class Count: Sendable {
    private let value = Atomic(0)

    func next() -> Int { value.add(1, ordering: .relaxed).newValue }
  }

  @Test func `count once what another part counts, also for requests at the same time`() async {
    let metrics = ServerMetrics()
    let count = Count()
    await withTaskGroup(of: Void.self) { group in
      for _ in 1...8 {
        group.addTask {
          for _ in 1...500 { metrics.follow("test_total", ("cache", "pages"), count: count.next()) }
        }
      }
    }
    #expect(metrics.factory.text().contains(#"test_total{cache="pages"} 4000"#))
    // A new listener counts from 0 again.
    metrics.follow("test_total", ("cache", "pages"), count: 10)
    metrics.follow("test_total", ("cache", "pages"), count: 10)
    #expect(metrics.factory.text().contains(#"test_total{cache="pages"} 4010"#))
  }
}
