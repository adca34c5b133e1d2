// Longbox
// SPDX-License-Identifier: MIT

import CoreMetrics
import Logging
import ServiceLifecycle
import Synchronization

/// Logs what is rejected, refused or lost, and may be so a thousand times a second: at once for the first of a kind, then
/// their number once a minute, so that they can't fill the log.
final class IncidentLog: Service {
  /// Incidents of a kind.
  struct Tally: Sendable {
    var count = 0
    var last = ""
  }

  private struct Tallies {
    /// What was not logged yet, of the kinds that were logged within the last interval.
    var waiting: [Incident: Tally] = [:]
    /// All incidents.
    var totals: [Incident: Tally] = [:]
  }

  /// The maximum length of a detail in the log, in characters.
  private static let longest = 100

  private let logger: Logger
  private let interval: Duration
  private let clock: any Clock<Duration>
  /// Counts each kind; empty if metrics are off.
  private let counters: [Incident: Counter]
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
          uniqueKeysWithValues: Incident.allCases.map {
            ($0, metrics.counter("longbox_rejected_total", ("reason", $0.rawValue)))
          }
        )
      } ?? [:]
    self.logger = logger
    self.interval = interval
    self.clock = clock
  }

  /// Notes incidents.
  /// - Parameters:
  ///   - incident: their kind.
  ///   - detail: the client's address, or what was wrong.
  ///   - count: how many there were.
  func note(_ incident: Incident, _ detail: @autoclosure () -> String, count: Int = 1) {
    counters[incident]?.increment(by: count)
    let detail = Self.printable(detail())
    let isFirst = tallies.withLock { tallies in
      tallies.totals[incident, default: Tally()].count += count
      tallies.totals[incident]?.last = detail
      guard tallies.waiting[incident] == nil else {
        tallies.waiting[incident, default: Tally()].count += count
        tallies.waiting[incident]?.last = detail
        return false
      }
      tallies.waiting[incident] = Tally()
      return true
    }
    guard isFirst else { return }
    log(incident, Tally(count: count, last: detail))
    signal.yield()
  }

  /// All incidents of a kind since the server started; nil if there are none.
  func total(of incident: Incident) -> Tally? {
    tallies.withLock { $0.totals[incident] }
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
    for (incident, tally) in counted.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      log(incident, tally)
    }
    return !counted.isEmpty
  }

  private func log(_ incident: Incident, _ tally: Tally) {
    logger.notice("\(incident.sentence)", metadata: ["count": "\(tally.count)", "last": "\(tally.last)"])
  }

  /// A text without control characters and of limited length, since clients choose it.
  private static func printable(_ text: String) -> String {
    String(text.unicodeScalars.prefix(longest).map { $0.value < 32 || $0.value == 127 ? "?" : Character($0) })
  }
}

/// A kind of what an operator should hear of, but not each time: a limit rejects something, or the disk stores nothing.
enum Incident: String, CaseIterable, Sendable {
  case connectionsOfAddress, connectionsInAll
  case slowHead, slowBody, stalledResponse, tooManyRequests
  case cutOffBody
  case foreignHost, invalidHost, replacedHost
  case unlistedProxy, unlistedUser, unclearForwarding, unknownPrefix, unnamedPrefix
  case longAddress, longHeader, longBody
  case newLibraries, newSubscriptions, subscriptionsInAll, largeBodies, unsentBytes, heavyWork
  case newCodes, unknownCodes, wrongPassphrases, tooManyPassphrases
  case notStored
  case unmeasuredStore
  case lostAccessLines

  /// What happened, and what an operator can do if it was no attack.
  var sentence: String {
    switch self {
    case .connectionsOfAddress:
      "Connections were closed: their address has too many (LONGBOX_LIMITS_CONNECTIONS_PER_ADDRESS)."
    case .connectionsInAll: "Connections were closed: there are too many in all (LONGBOX_LIMITS_CONNECTIONS)."
    case .slowHead: "Connections were closed: their request took too long (LONGBOX_LIMITS_HEAD_TIME)."
    case .slowBody:
      "Connections were closed: their form or file came too slowly (LONGBOX_LIMITS_BODY_RATE, LONGBOX_LIMITS_BODY_TIME)."
    case .stalledResponse:
      "Connections were closed: they don't read the response (LONGBOX_LIMITS_STALL_TIME)."
    case .tooManyRequests: "Connections were closed: they sent requests without reading the responses."
    case .cutOffBody: "Forms or files were cut off by their senders, and ignored."
    case .foreignHost:
      "Requests were refused: their Host is not a name of this server. If the last one should be, add it to the settings as LONGBOX_HOST_NAMES, and restart."
    case .invalidHost: "Requests were refused: they don't have exactly one Host."
    case .replacedHost:
      "Forms were refused: the host of their page is not the Host of their request. If the page was this Longbox's, a proxy in front must pass on the Host header, see docs/proxies.md."
    case .unlistedProxy:
      "Forwarded headers were ignored: they don't come from a trusted proxy. If this is the address of yours, add it to LONGBOX_TRUSTED_PROXIES (or --trusted-proxy)."
    case .unlistedUser:
      "The header of LONGBOX_REMOTE_USER_HEADER was ignored: it doesn't come from a trusted proxy. If this is the address of yours, add it to LONGBOX_TRUSTED_PROXIES (or --trusted-proxy)."
    case .unclearForwarding:
      "A trusted proxy's headers were ignored: Forwarded is malformed, or contradicts X-Forwarded-For, -Proto or -Host. The proxy should set or remove each of them."
    case .unknownPrefix:
      "A trusted proxy removes a path from addresses (X-Forwarded-Prefix or X-Ingress-Path) that isn't LONGBOX_BASE_PATH, or is malformed, so pages have no style, and links lead elsewhere. Set LONGBOX_BASE_PATH to the last one or remove it, and restart."
    case .unnamedPrefix:
      "A proxy removes a path from addresses and doesn't name it, so pages have no style, and links lead elsewhere. List the proxy in LONGBOX_TRUSTED_PROXIES, and let it name the path, which is the last one, in X-Forwarded-Prefix, see docs/proxies.md."
    case .longAddress: "Requests were refused: their address is too long (LONGBOX_LIMITS_ADDRESS_LENGTH)."
    case .longHeader:
      "Requests were refused: their header is too long (LONGBOX_LIMITS_HEADER_LENGTH), or has too many fields."
    case .longBody: "Requests were refused: their body is too long."
    case .newLibraries:
      "Libraries were not started, or didn't grow on their first day: their address, or all together, have too much of that (LONGBOX_LIMITS_NEW_LIBRARIES, LONGBOX_LIMITS_NEW_MEGABYTES_PER_ADDRESS)."
    case .newSubscriptions:
      "Subscriptions were refused: their address, or all together, made too many (LONGBOX_LIMITS_NEW_SUBSCRIPTIONS)."
    case .subscriptionsInAll: "Subscriptions were refused: there are too many in all."
    case .largeBodies:
      "Large uploads were refused: their address, or all together, sends too many at a time, or several of them didn't fit."
    case .unsentBytes:
      "Responses were refused: too many bytes wait for their address, or for all together (LONGBOX_LIMITS_UNSENT_MEGABYTES_PER_ADDRESS, LONGBOX_LIMITS_UNSENT_MEGABYTES)."
    case .heavyWork: "Large pages, exports or searches were refused: too many of their address were waiting."
    case .newCodes: "Pairing codes were not made: their address asked for too many."
    case .unknownCodes: "Pairing codes were refused: too many unknown ones were tried."
    case .wrongPassphrases: "Wrong passphrases were tried."
    case .tooManyPassphrases: "Passphrases were not checked: too many were tried."
    case .lostAccessLines:
      "Lines of the access log were lost: the program that reads stdout is slow or has stopped."
    case .unmeasuredStore: "Metrics of the store are old or missing: the store can't be read."
    case .notStored: "Changes were not stored: the disk failed, or a limit of space was reached."
    }
  }
}
