// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// What clients asked for, how often, how many at a time and under which name, so that a test can check their manners.
final class RequestLog: Sendable {
  /// One request.
  ///
  /// It stands in the log from its arrival; what isn't known until it ends is nil before.
  struct Entry: Sendable, Encodable {
    let id: Int
    let time: Date
    let method: String
    /// With the query, as it was sent.
    let path: String
    let source: String?
    let userAgent: String?
    /// Whether it carried If-None-Match or If-Modified-Since.
    let isConditional: Bool
    var status: Int?
    /// How many bytes of the body were handed to the network.
    var bytes: Int?
    var milliseconds: Double?
    /// False where the answer was broken off, by a fault or by the client.
    var isComplete: Bool?
    /// The fault that struck it.
    var faultID: Int?
  }

  /// What is counted.
  ///
  /// Each table is bounded, so that an endless run doesn't fill memory.
  struct Counts: Sendable, Encodable {
    var requests = 0
    var bytes = 0
    var inFlight = 0
    var peakInFlight = 0
    /// The most that arrived in any one second of the clock.
    var peakPerSecond = 0
    var byStatus: [String: Int] = [:]
    var byPath: [String: Int] = [:]
    var userAgents: [String: Int] = [:]
    /// Requests whose path or User-Agent found no room in the tables.
    var uncounted = 0
  }

  /// How many requests are remembered one by one.
  static let capacity = 2_000
  private static let pathLimit = 50_000
  private static let agentLimit = 100

  private struct State {
    var counts = Counts()
    /// A ring: the entry of id `n` stands at `n % capacity`.
    var entries: [Entry] = []
    /// Goes on over a reset, so that a request under way then can't be taken for a later one.
    var nextID = 0
    var firstID = 0
    var second = 0
    var inSecond = 0
    /// The requests under way since the last reset.
    var flying: Set<Int> = []
  }

  private let state = Mutex(State())
  private let now: @Sendable () -> Date

  init(now: @escaping @Sendable () -> Date) { self.now = now }

  var counts: Counts { state.withLock { $0.counts } }

  /// The last requests, oldest first.
  func last(_ count: Int) -> [Entry] {
    state.withLock { state in
      let held = min(state.nextID - state.firstID, Self.capacity)
      return (state.nextID - min(count, held)..<state.nextID).map { state.entries[$0 % Self.capacity] }
    }
  }

  /// How many requests arrived in the last `seconds`, divided by these; at most ``capacity`` are looked at.
  func rate(overLast seconds: Double) -> Double {
    let since = now().addingTimeInterval(-seconds)
    return Double(last(Self.capacity).count { $0.time >= since }) / seconds
  }

  /// Notes an arrival and gives the number by which the rest is told.
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
      state.flying.insert(id)
      state.counts.inFlight = state.flying.count
      state.counts.arrive(entry.path, userAgent ?? "")
      let second = Int(time.timeIntervalSince1970)
      state.inSecond = second == state.second ? state.inSecond + 1 : 1
      state.second = second
      state.counts.peakPerSecond = max(state.counts.peakPerSecond, state.inSecond)
      return id
    }
  }

  /// Notes which fault struck.
  func note(faultID: Int, on ticket: Int) {
    change(ticket) { $0.faultID = faultID }
  }

  /// Notes the end of a request; `status` is nil where there was no answer.
  ///
  /// Told twice, the second word on bytes and completeness holds, and the request is counted once.
  func end(_ ticket: Int, status: Int?, bytes: Int, isComplete: Bool) {
    let time = now()
    change(ticket) { entry in
      entry.status = status
      entry.bytes = bytes
      entry.isComplete = isComplete
      entry.milliseconds = time.timeIntervalSince(entry.time) * 1_000
    }
    state.withLock { state in
      guard state.flying.remove(ticket) != nil else { return }
      state.counts.inFlight = state.flying.count
      state.counts.bytes += bytes
      state.counts.byStatus[status.map(String.init) ?? "none", default: 0] += 1
    }
  }

  /// Forgets everything; requests still under way no longer count.
  func reset() {
    state.withLock { state in
      state.counts = Counts()
      state.flying = []
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
