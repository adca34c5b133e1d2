// Longbox
// SPDX-License-Identifier: MIT

import CoreMetrics
public import Foundation
public import LongboxPush
public import LongboxUpstream
import Synchronization

/// The server's metrics, counted through swift-metrics.
public final class ServerMetrics: Sendable {
  /// The names of all metrics, with their meanings.
  static let help = [
    "longbox_build_info": "The version of the program, as a label.",
    "longbox_http_requests_total": "Requests by method, route and status.",
    "longbox_http_request_duration_seconds": "Time from a request's head to the end of its response.",
    "longbox_cache_answers_total": "Answers by cache and by the tier that had them.",
    "longbox_cache_bytes": "Bytes in a memory cache.",
    "longbox_source_requests_total": "Requests that were sent to a source, by outcome.",
    "longbox_source_request_duration_seconds":
      "Time from sending a request to a source until its whole reply.",
    "longbox_source_wait_seconds": "Time that a request to a source waited for the rate limit.",
    "longbox_source_queue": "Requests to a source that wait for the rate limit.",
    "longbox_source_down": "Whether xkcd counts as down (1) or not (0).",
    "longbox_source_answer_age_seconds": "Time since xkcd's newest answer.",
    "longbox_fill_missing": "What the background fill has not fetched yet.",
    "longbox_fill_failures": "Downloads that failed and are tried again.",
    "longbox_sync_entries_total":
      "Entries of readers' libraries that devices sent (received) and got (sent).",
    "longbox_push_messages_total": "Messages to push services, by outcome.",
    "longbox_push_subscriptions": "Browsers that get notifications, by state.",
    "longbox_store_bytes": "Bytes on the disk, by what they are for.",
    "longbox_store_comics": "Stored comics.",
    "longbox_store_libraries": "Readers' libraries.",
    "longbox_disk_free_bytes": "Free bytes on the disk of the data folder.",
    "longbox_backup_age_seconds": "Age of the newest daily backup; time since the start if there is none.",
    "longbox_rejected_total": "What was rejected, refused or lost, by reason.",
    "longbox_memory_bytes": "Bytes of the process that are in memory.",
    "longbox_open_files": "Open files of the process.",
    "longbox_start_time_seconds": "When the process started, in seconds since 1970.",
  ]

  let factory = PrometheusFactory(help: ServerMetrics.help)
  /// When the process started.
  let start: Date
  /// The last known dates, by the names of their gauges.
  private let dates = Mutex<[String: Date]>([:])
  /// The last counts of other parts of the server, by the counters that follow them.
  private let followed = Mutex<[String: Int]>([:])

  /// Makes metrics without values.
  /// - Parameter start: when the process started.
  public init(startedAt start: Date = Date()) {
    self.start = start
  }

  func counter(_ name: String, _ labels: (String, String)...) -> Counter {
    Counter(label: name, dimensions: labels, factory: factory)
  }

  func set(_ name: String, _ value: Double, _ labels: (String, String)...) {
    Meter(label: name, dimensions: labels, factory: factory).set(value)
  }

  /// Sets the time since something last happened, in seconds.
  /// - Parameters:
  ///   - name: the gauge.
  ///   - date: when it happened; if nil, the last known date counts.
  ///   - other: the date that counts if none is known; if nil, the gauge isn't set.
  ///   - now: the time.
  func setAge(_ name: String, since date: Date?, or other: Date? = nil, at now: Date) {
    let last = dates.withLock { dates in
      if let date { dates[name] = date }
      return dates[name] ?? other
    }
    if let last { set(name, now.timeIntervalSince(last)) }
  }

  /// Raises a counter by what another part of the server has counted since the last call.
  /// - Parameters:
  ///   - name: the counter.
  ///   - labels: its labels.
  ///   - count: the other part's count. It is read while no other call reads it. If it is lower than before, that part
  ///     has started again at 0.
  func follow(_ name: String, _ labels: (String, String)..., count: @autoclosure () -> Int) {
    let growth = followed.withLock { followed in
      let count = count()
      let last = followed.updateValue(count, forKey: "\(name) \(labels)") ?? 0
      return count < last ? count : count - last
    }
    Counter(label: name, dimensions: labels, factory: factory).increment(by: growth)
  }

  /// Counts requests to sources.
  public var sources: RequestObserver {
    let instruments = Dictionary(
      uniqueKeysWithValues: Source.allCases.map { source in (source, SourceInstruments(source, factory)) }
    )
    return RequestObserver(
      queued: { instruments[$0]?.queue.increment() },
      left: { instruments[$0]?.queue.decrement() },
      sent: { instruments[$0]?.wait.recordNanoseconds($1.nanoseconds) },
      ended: { [self] source, outcome, duration in
        instruments[source]?.duration.recordNanoseconds(duration.nanoseconds)
        counter("longbox_source_requests_total", ("source", source.rawValue), ("outcome", outcome))
          .increment()
      }
    )
  }

  /// Counts messages to push services.
  public var push: @Sendable (DeliveryResult.Outcome) -> Void {
    { [self] outcome in
      let name =
        switch outcome {
        case .delivered: "delivered"
        case .gone: "gone"
        case .later: "later"
        case .unanswered: "unanswered"
        case .unauthorized, .rejected: "rejected"
        case .unsent: "unsent"
        }
      counter("longbox_push_messages_total", ("outcome", name)).increment()
    }
  }

  private struct SourceInstruments: Sendable {
    let queue: Meter
    let wait, duration: CoreMetrics.Timer

    init(_ source: Source, _ factory: PrometheusFactory) {
      let labels = [("source", source.rawValue)]
      queue = Meter(label: "longbox_source_queue", dimensions: labels, factory: factory)
      wait = Timer(label: "longbox_source_wait_seconds", dimensions: labels, factory: factory)
      duration = Timer(label: "longbox_source_request_duration_seconds", dimensions: labels, factory: factory)
    }
  }
}

extension Duration {
  /// The whole nanoseconds.
  fileprivate var nanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
