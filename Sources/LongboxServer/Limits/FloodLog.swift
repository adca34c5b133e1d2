// Longbox
// SPDX-License-Identifier: MIT

import CoreMetrics
import Logging
import ServiceLifecycle
import Synchronization

/// Logs what limits reject: at once for the first of a kind, then their number once a minute, so that a flood
/// can't fill the log.
final class FloodLog: Service {
  /// Rejections of a kind.
  struct Tally: Sendable {
    var count = 0
    var last = ""
  }

  private struct Tallies {
    /// What was not logged yet, of the kinds that were logged within the last interval.
    var waiting: [Flood: Tally] = [:]
    /// All rejections.
    var totals: [Flood: Tally] = [:]
  }

  /// The maximum length of a detail in the log, in characters.
  private static let longest = 100

  private let logger: Logger
  private let interval: Duration
  private let clock: any Clock<Duration>
  /// Counts each kind; empty if metrics are off.
  private let counters: [Flood: Counter]
  private let tallies = Mutex(Tallies())
  private let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// Creates a log.
  /// - Parameters:
  ///   - logger: where the lines go.
  ///   - interval: the minimum time between two lines of a kind.
  ///   - clock: measures the interval.
  ///   - metrics: counts each kind.
  init(
    logger: Logger,
    interval: Duration = .seconds(60),
    clock: any Clock<Duration> = ContinuousClock(),
    metrics: ServerMetrics? = nil
  ) {
    counters =
      metrics.map { metrics in
        Dictionary(
          uniqueKeysWithValues: Flood.allCases.map {
            ($0, metrics.counter("longbox_rejected_total", ("reason", $0.rawValue)))
          }
        )
      } ?? [:]
    self.logger = logger
    self.interval = interval
    self.clock = clock
  }

  /// Notes rejections.
  /// - Parameters:
  ///   - flood: their kind.
  ///   - detail: the client's address, or what was wrong.
  ///   - count: how many there were.
  func note(_ flood: Flood, _ detail: @autoclosure () -> String, count: Int = 1) {
    counters[flood]?.increment(by: count)
    let detail = Self.printable(detail())
    let isFirst = tallies.withLock { tallies in
      tallies.totals[flood, default: Tally()].count += count
      tallies.totals[flood]?.last = detail
      guard tallies.waiting[flood] == nil else {
        tallies.waiting[flood, default: Tally()].count += count
        tallies.waiting[flood]?.last = detail
        return false
      }
      tallies.waiting[flood] = Tally()
      return true
    }
    guard isFirst else { return }
    log(flood, Tally(count: count, last: detail))
    signal.yield()
  }

  /// All rejections of a kind since the server started; nil if there are none.
  func total(of flood: Flood) -> Tally? {
    tallies.withLock { $0.totals[flood] }
  }

  /// Logs what was counted, once an interval, until the server stops.
  func run() async throws {
    await cancelWhenGracefulShutdown {
      for await _ in self.signals {
        repeat { try? await self.clock.sleep(for: self.interval) } while self.flush() && !Task.isCancelled
      }
    }
    _ = flush()
  }

  /// Logs the tallies.
  /// - Returns: whether any kind was counted, so that a further interval begins.
  private func flush() -> Bool {
    let counted = tallies.withLock { tallies in
      let counted = tallies.waiting.filter { $0.value.count > 0 }
      tallies.waiting = counted.mapValues { _ in Tally() }
      return counted
    }
    for (flood, tally) in counted.sorted(by: { $0.key.rawValue < $1.key.rawValue }) { log(flood, tally) }
    return !counted.isEmpty
  }

  private func log(_ flood: Flood, _ tally: Tally) {
    logger.notice("\(flood.sentence)", metadata: ["count": "\(tally.count)", "last": "\(tally.last)"])
  }

  /// A text without control characters and of limited length, since clients choose it.
  private static func printable(_ text: String) -> String {
    String(text.unicodeScalars.prefix(longest).map { $0.value < 32 || $0.value == 127 ? "?" : Character($0) })
  }
}
