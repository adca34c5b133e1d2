// Longbox
// SPDX-License-Identifier: MIT

import CoreMetrics
import Synchronization

/// A backend of swift-metrics that writes text for Prometheus (exposition format 0.0.4).
///
/// Looking up an instrument takes a lock; using it doesn't. So code that counts often should keep its instruments.
final class PrometheusFactory: MetricsFactory {
  /// The instruments with one name.
  private struct Family {
    let type: String
    /// By their labels as text, such as `{source="xkcd"}`.
    var instruments: [String: Instrument] = [:]
  }

  private enum Instrument {
    case counter(PrometheusCounter)
    case gauge(PrometheusGauge)
    case histogram(PrometheusHistogram)
  }

  /// The maximum number of instruments; labels don't come from clients, so this is never reached.
  private static let limit = 20_000

  private let help: [String: String]
  private let families = Mutex<[String: Family]>([:])

  /// Creates a factory without instruments.
  /// - Parameter help: the meaning of each name.
  init(help: [String: String]) {
    self.help = help
  }

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    let found = instrument(label, dimensions, "counter") { .counter(PrometheusCounter()) }
    if case .counter(let counter)? = found { return counter }
    return NOOPMetricsHandler.instance
  }

  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    let found = instrument(label, dimensions, "gauge") { .gauge(PrometheusGauge()) }
    if case .gauge(let gauge)? = found { return gauge }
    return NOOPMetricsHandler.instance
  }

  func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    let found = instrument(label, dimensions, "gauge") { .gauge(PrometheusGauge()) }
    if case .gauge(let gauge)? = found { return gauge }
    return NOOPMetricsHandler.instance
  }

  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    let found = instrument(label, dimensions, "histogram") { .histogram(PrometheusHistogram()) }
    if case .histogram(let histogram)? = found { return histogram }
    return NOOPMetricsHandler.instance
  }

  // Instruments stay until the program ends, because Prometheus expects that of counters.
  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyMeter(_ handler: any MeterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}

  private func instrument(
    _ name: String,
    _ dimensions: [(String, String)],
    _ type: String,
    make: () -> Instrument
  ) -> Instrument? {
    let labels = Self.labels(dimensions)
    return families.withLock { families in
      if let known = families[name]?.instruments[labels] { return known }
      guard families.values.reduce(0, { $0 + $1.instruments.count }) < Self.limit else { return nil }
      guard families[name, default: Family(type: type)].type == type else { return nil }
      let instrument = make()
      families[name, default: Family(type: type)].instruments[labels] = instrument
      return instrument
    }
  }

  /// All instruments that were used, as text.
  func text() -> String {
    var text = ""
    for (name, family) in families.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      var lines = ""
      for (labels, instrument) in family.instruments.sorted(by: { $0.key < $1.key }) {
        Self.write(instrument, name, labels, to: &lines)
      }
      guard !lines.isEmpty else { continue }
      if let help = help[name] { text += "# HELP \(name) \(help)\n" }
      text += "# TYPE \(name) \(family.type)\n" + lines
    }
    return text
  }

  private static func write(
    _ instrument: Instrument,
    _ name: String,
    _ labels: String,
    to lines: inout String
  ) {
    switch instrument {
    case .counter(let counter):
      if counter.value > 0 { lines += "\(name)\(labels) \(counter.value)\n" }
    case .gauge(let gauge):
      lines += "\(name)\(labels) \(number(gauge.value))\n"
    case .histogram(let histogram):
      let counts = histogram.counts
      guard counts.contains(where: { $0 > 0 }) else { return }
      var sum: Int64 = 0
      for (index, count) in counts.enumerated() {
        sum += count
        let bound = index < PrometheusHistogram.bounds.count ? "\(PrometheusHistogram.bounds[index])" : "+Inf"
        let others = labels.isEmpty ? "{" : labels.dropLast() + ","
        lines += "\(name)_bucket\(others)le=\"\(bound)\"} \(sum)\n"
      }
      lines += "\(name)_sum\(labels) \(histogram.sum)\n\(name)_count\(labels) \(sum)\n"
    }
  }

  /// Whole numbers have no fraction.
  private static func number(_ value: Double) -> String {
    Int64(exactly: value).map { "\($0)" } ?? "\(value)"
  }

  private static func labels(_ dimensions: [(String, String)]) -> String {
    guard !dimensions.isEmpty else { return "" }
    return "{" + dimensions.map { "\($0)=\"\(escaped($1))\"" }.joined(separator: ",") + "}"
  }

  private static func escaped(_ value: String) -> String {
    var text = ""
    for character in value.unicodeScalars {
      switch character {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      default: text.unicodeScalars.append(character)
      }
    }
    return text
  }
}

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
