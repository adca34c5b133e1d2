// Longbox
// SPDX-License-Identifier: MIT

import CoreMetrics
import Synchronization

/// A count that only grows.
final class PrometheusCounter: CounterHandler {
  private let count = Atomic<Int64>(0)

  var value: Int64 { count.load(ordering: .relaxed) }

  func increment(by amount: Int64) { count.wrappingAdd(amount, ordering: .relaxed) }

  func reset() { count.store(0, ordering: .relaxed) }
}

/// A number that grows and falls.
final class PrometheusGauge: MeterHandler, RecorderHandler {
  private let bits = Atomic<UInt64>(0)

  var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

  func set(_ value: Int64) { set(Double(value)) }

  func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

  func record(_ value: Int64) { set(Double(value)) }

  func record(_ value: Double) { set(value) }

  func increment(by amount: Double) {
    var before = bits.load(ordering: .relaxed)
    while true {
      let after = (Double(bitPattern: before) + amount).bitPattern
      let exchange = bits.compareExchange(expected: before, desired: after, ordering: .relaxed)
      if exchange.exchanged { return }
      before = exchange.original
    }
  }

  func decrement(by amount: Double) { increment(by: -amount) }
}

/// Durations, counted in buckets.
final class PrometheusHistogram: TimerHandler {
  /// The upper bounds of the buckets, in seconds.
  static let bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
  private static let nanoseconds = bounds.map { Int64($0 * 1e9) }

  /// A bucket; a class, because an array can't hold atomic values.
  private final class Bucket: Sendable {
    let count = Atomic<Int64>(0)
  }

  private let buckets = (0...PrometheusHistogram.bounds.count).map { _ in Bucket() }
  private let total = Atomic<Int64>(0)

  /// The number of durations in each bucket, not cumulated; the last bucket is above all bounds.
  var counts: [Int64] { buckets.map { $0.count.load(ordering: .relaxed) } }

  /// The sum of the durations, in seconds.
  var sum: Double { Double(total.load(ordering: .relaxed)) / 1e9 }

  func recordNanoseconds(_ duration: Int64) {
    let index = Self.nanoseconds.firstIndex { duration <= $0 } ?? Self.bounds.count
    buckets[index].count.wrappingAdd(1, ordering: .relaxed)
    total.wrappingAdd(duration, ordering: .relaxed)
  }
}
