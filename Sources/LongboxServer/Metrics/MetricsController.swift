// Longbox
// SPDX-License-Identifier: MIT

import CoreMetrics
import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxStore
import NIOCore
import Synchronization

/// Answers `/metrics` for Prometheus.
///
/// Only this machine gets an answer; see ``RequestKind/isLocal(_:from:)``.
struct MetricsController: Controller {
  /// The metrics; nil if they are off.
  let metrics: ServerMetrics?
  let catalog: Catalog
  let store: Store
  let rendered: RenderedPages
  let settings: ServerSettings
  let now: @Sendable () -> Date
  private let start: Date
  private let followed = Followed()

  init(
    metrics: ServerMetrics?,
    catalog: Catalog,
    store: Store,
    rendered: RenderedPages,
    settings: ServerSettings,
    now: @escaping @Sendable () -> Date
  ) {
    self.metrics = metrics
    self.catalog = catalog
    self.store = store
    self.rendered = rendered
    self.settings = settings
    self.now = now
    start = now()
  }

  var endpoints: [Endpoint] {
    [.get("metrics") { try await text($0, $1) }]
  }

  var errorFormat: ErrorFormat { .problem }

  private func text(_ request: Request, _ context: ServerContext) async throws -> Response {
    guard let metrics, RequestKind.isLocal(request.head, from: context.client) else {
      throw Problem(
        .notFound,
        "Metrics are off (LONGBOX_METRICS), or the request doesn't come from this machine."
      )
    }
    try await measure(metrics)
    return Response(
      status: .ok,
      headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.factory.text()))
    )
  }

  /// Sets the gauges, which are measured only when they are asked for.
  private func measure(_ metrics: ServerMetrics) async throws {
    metrics.set("longbox_build_info", 1, ("version", settings.version))
    metrics.set("longbox_start_time_seconds", start.timeIntervalSince1970)
    if let bytes = SystemMemory.used { metrics.set("longbox_memory_bytes", Double(bytes)) }
    if let files = SystemMemory.openFiles { metrics.set("longbox_open_files", Double(files)) }
    measureCatalog(metrics)
    try await measureStore(metrics)
    if let date = try await store.newestCheck()?.succeededAt {
      metrics.set("longbox_source_answer_age_seconds", now().timeIntervalSince(date))
    }
    if let newest = try? settings.backups?.entries().first {
      metrics.set("longbox_backup_age_seconds", now().timeIntervalSince(newest.date))
    }
  }

  private func measureCatalog(_ metrics: ServerMetrics) {
    let snapshot = catalog.snapshot
    metrics.set("longbox_source_down", snapshot.downSince == nil ? 0 : 1)
    if let progress = snapshot.progress {
      let pictures = progress.total - progress.pictures - progress.absentPictures
      metrics.set("longbox_fill_missing", Double(progress.total - progress.texts), ("what", "texts"))
      metrics.set("longbox_fill_missing", Double(pictures), ("what", "pictures"))
      metrics.set("longbox_fill_failures", Double(progress.failures))
    }
    let pages = rendered.statistics
    follow(metrics, "pages", "memory", pages.hits)
    follow(metrics, "pages", "rendered", pages.misses)
    metrics.set("longbox_cache_bytes", Double(pages.cost), ("cache", "pages"))
    let pictures = catalog.pictureAnswers
    follow(metrics, "pictures", "memory", pictures.memory)
    follow(metrics, "pictures", "disk", pictures.disk)
    follow(metrics, "pictures", "source", pictures.source)
    metrics.set("longbox_cache_bytes", Double(pictures.memoryBytes), ("cache", "pictures"))
  }

  private func measureStore(_ metrics: ServerMetrics) async throws {
    let usage = try await store.usage()
    let bytes = [
      ("database", usage.database), ("log", usage.log), ("pictures", usage.pictures.bytes),
      ("covers", usage.covers.bytes), ("libraries", usage.libraryBytes),
    ]
    for (name, value) in bytes { metrics.set("longbox_store_bytes", Double(value), ("what", name)) }
    metrics.set("longbox_store_comics", Double(usage.comics))
    metrics.set("longbox_store_libraries", Double(usage.libraries))
    let failing = usage.failingSubscriptions
    metrics.set("longbox_push_subscriptions", Double(usage.subscriptions - failing), ("state", "reached"))
    metrics.set("longbox_push_subscriptions", Double(failing), ("state", "failing"))
    if let space = DiskSpace(of: store.folder) { metrics.set("longbox_disk_free_bytes", Double(space.free)) }
  }

  /// Raises a counter to a count that another part of the server keeps.
  private func follow(_ metrics: ServerMetrics, _ cache: String, _ tier: String, _ count: Int) {
    let growth = followed.growth(of: "\(cache) \(tier)", to: count)
    metrics.counter("longbox_cache_answers_total", ("cache", cache), ("tier", tier)).increment(by: growth)
  }

  /// The counts at the last request.
  private final class Followed: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    func growth(of name: String, to count: Int) -> Int {
      counts.withLock { counts in
        defer { counts[name] = count }
        return max(0, count - counts[name, default: 0])
      }
    }
  }
}
