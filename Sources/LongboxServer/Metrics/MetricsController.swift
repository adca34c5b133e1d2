// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxStore
import NIOCore

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
  let incidents: IncidentLog
  let now: @Sendable () -> Date

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
    await measure(metrics)
    return Response(
      status: .ok,
      headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.factory.text()))
    )
  }

  /// Sets the gauges, which are measured only when they are asked for.
  func measure(_ metrics: ServerMetrics) async {
    metrics.set("longbox_build_info", 1, ("version", settings.version))
    metrics.set("longbox_start_time_seconds", metrics.start.timeIntervalSince1970)
    if let bytes = SystemMemory.used { metrics.set("longbox_memory_bytes", Double(bytes)) }
    if let files = SystemMemory.openFiles { metrics.set("longbox_open_files", Double(files)) }
    if let space = DiskSpace(of: store.folder) { metrics.set("longbox_disk_free_bytes", Double(space.free)) }
    measureCatalog(metrics)
    var answer: Date?
    do throws(StoreError) {
      try await measureStore(metrics)
      answer = try await store.fetches.newestCheck()?.succeededAt
    } catch {
      incidents.note(.unmeasuredStore, error.description)
    }
    metrics.setAge("longbox_source_answer_age_seconds", since: answer, at: now())
    if let backups = settings.backups {
      let newest = try? backups.entries(at: now()).first?.date
      metrics.setAge("longbox_backup_age_seconds", since: newest, or: metrics.start, at: now())
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
    follow(metrics, "pages", "memory", rendered.statistics.hits)
    follow(metrics, "pages", "rendered", rendered.statistics.misses)
    metrics.set("longbox_cache_bytes", Double(rendered.statistics.cost), ("cache", "pages"))
    follow(metrics, "pictures", "memory", catalog.pictureCacheCounts.memory)
    follow(metrics, "pictures", "disk", catalog.pictureCacheCounts.disk)
    follow(metrics, "pictures", "source", catalog.pictureCacheCounts.source)
    metrics.set("longbox_cache_bytes", Double(catalog.pictureCacheCounts.memoryBytes), ("cache", "pictures"))
  }

  private func measureStore(_ metrics: ServerMetrics) async throws(StoreError) {
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
  }

  private func follow(
    _ metrics: ServerMetrics,
    _ cache: String,
    _ tier: String,
    _ count: @autoclosure () -> Int
  ) {
    metrics.follow("longbox_cache_answers_total", ("cache", cache), ("tier", tier), count: count())
  }
}
