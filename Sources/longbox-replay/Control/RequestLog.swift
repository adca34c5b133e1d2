// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// Counts, concurrency and User-Agents of clients' requests, with which tests check request policies.
final class RequestLog: Sendable {
  /// A request.
  ///
  /// It is logged on arrival; values known only at its end are nil until then.
  struct Entry: Sendable, Encodable {
    let id: Int
    let time: Date
    let method: String
    /// The path and query, as sent.
    let path: String
    let source: String?
    let userAgent: String?
    /// Whether it has If-None-Match or If-Modified-Since.
    let isConditional: Bool
    var status: Int?
    /// The number of body bytes handed to the network.
    var bytes: Int?
    var milliseconds: Double?
    /// False if a fault or the client aborted the response.
    var isComplete: Bool?
    var faultID: Int?
  }

  /// The totals.
  ///
  /// Each table is bounded, so that a long run doesn't fill the memory.
  struct Counts: Sendable, Encodable {
    var requests = 0
    var bytes = 0
    var inFlight = 0
    var peakInFlight = 0
    /// The maximum in any second of the clock.
    var peakPerSecond = 0
    var byStatus: [String: Int] = [:]
    var byPath: [String: Int] = [:]
    var userAgents: [String: Int] = [:]
    /// Requests whose path or User-Agent did not fit into the tables.
    var uncounted = 0
  }

  /// The number of stored requests.
  static let capacity = 2_000
  private static let pathLimit = 50_000
  private static let agentLimit = 100

  private struct State {
    var counts = Counts()
    /// A ring buffer: entry `n` is at `n % capacity`.
    var entries: [Entry] = []
    /// Continues over a reset, so that a request in progress isn't confused with a later one.
    var nextID = 0
    var firstID = 0
    var second = 0
    var inSecond = 0
    /// The requests in progress that arrived since the last reset.
    var inFlight: Set<Int> = []
  }

  private let state = Mutex(State())
  private let now: @Sendable () -> Date

  init(now: @escaping @Sendable () -> Date) { self.now = now }

  var counts: Counts { state.withLock { $0.counts } }

  func last(_ count: Int) -> [Entry] {
    state.withLock { state in
      let held = min(state.nextID - state.firstID, Self.capacity)
      return (state.nextID - min(count, held)..<state.nextID).map { state.entries[$0 % Self.capacity] }
    }
  }

  /// Requests per second over the last `seconds`; considers at most ``capacity`` requests.
  func rate(overLast seconds: Double) -> Double {
    let since = now().addingTimeInterval(-seconds)
    return Double(last(Self.capacity).count { $0.time >= since }) / seconds
  }

  /// Logs an arrival; returns the request's identifier.
  func begin(
    method: String,
    path: String,
    query: String?,
    source: String?,
    userAgent: String?,
    isConditional: Bool
  ) -> Int {
    let time = now()
    return state.withLock { state in
      let id = state.nextID
      let entry = Entry(
        id: id,
        time: time,
        method: method,
        path: query.map { "\(path)?\($0)" } ?? path,
        source: source,
        userAgent: userAgent,
        isConditional: isConditional
      )
      state.nextID += 1
      if state.entries.count < Self.capacity {
        state.entries.append(entry)
      } else {
        state.entries[id % Self.capacity] = entry
      }
      state.inFlight.insert(id)
      state.counts.inFlight = state.inFlight.count
      state.counts.arrive(entry.path, userAgent ?? "")
      let second = Int(time.timeIntervalSince1970)
      state.inSecond = second == state.second ? state.inSecond + 1 : 1
      state.second = second
      state.counts.peakPerSecond = max(state.counts.peakPerSecond, state.inSecond)
      return id
    }
  }

  func note(faultID: Int, on ticket: Int) {
    change(ticket) { $0.faultID = faultID }
  }

  /// Logs the end of a request; `status` is nil if there was no response.
  ///
  /// A second call overwrites bytes and completeness, but doesn't count the request again.
  func end(_ ticket: Int, status: Int?, bytes: Int, isComplete: Bool) {
    let time = now()
    change(ticket) { entry in
      entry.status = status
      entry.bytes = bytes
      entry.isComplete = isComplete
      entry.milliseconds = time.timeIntervalSince(entry.time) * 1_000
    }
    state.withLock { state in
      guard state.inFlight.remove(ticket) != nil else { return }
      state.counts.inFlight = state.inFlight.count
      state.counts.bytes += bytes
      state.counts.byStatus[status.map(String.init) ?? "none", default: 0] += 1
    }
  }

  /// Clears the log; requests in progress no longer count.
  func reset() {
    state.withLock { state in
      state.counts = Counts()
      state.inFlight = []
      state.firstID = state.nextID
      state.inSecond = 0
    }
  }

  private func change(_ ticket: Int, _ body: (inout Entry) -> Void) {
    state.withLock { state in
      guard state.entries[ticket % Self.capacity].id == ticket else { return }
      body(&state.entries[ticket % Self.capacity])
    }
  }
}

extension RequestLog.Counts {
  fileprivate mutating func arrive(_ path: String, _ userAgent: String) {
    requests += 1
    peakInFlight = max(peakInFlight, inFlight)
    var hasRoom = Self.count(path, in: &byPath, limit: RequestLog.pathLimit)
    hasRoom = Self.count(userAgent, in: &userAgents, limit: RequestLog.agentLimit) && hasRoom
    if !hasRoom { uncounted += 1 }
  }

  private static func count(_ key: String, in table: inout [String: Int], limit: Int) -> Bool {
    guard table.count < limit || table[key] != nil else { return false }
    table[key, default: 0] += 1
    return true
  }
}
