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
