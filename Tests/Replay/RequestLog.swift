// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
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
    var inFlight = 0
    var peakInFlight = 0
    var byStatus: [String: Int] = [:]
    var byPath: [String: Int] = [:]
    var userAgents: [String: Int] = [:]
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

  /// Logs an arrival; returns the request's identifier.
  func begin(_ request: Request, source: String?) -> Int {
    let time = now()
    let conditions = [HTTPField.Name.ifNoneMatch, .ifModifiedSince]
    return state.withLock { state in
      let id = state.nextID
      let entry = Entry(
        id: id,
        time: time,
        method: request.method.rawValue,
        path: request.uri.string,
        source: source,
        userAgent: request.headers[.userAgent],
        isConditional: conditions.contains { request.headers.contains($0) }
      )
      state.nextID += 1
      if id < Self.capacity { state.entries.append(entry) } else { state.entries[id % Self.capacity] = entry }
      state.inFlight.insert(id)
      state.counts.inFlight = state.inFlight.count
      state.counts.arrive(entry.path, entry.userAgent ?? "")
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
      state.counts.byStatus[status.map(String.init) ?? "none", default: 0] += 1
    }
  }

  /// Clears the log; requests in progress no longer count.
  func reset() {
    state.withLock { state in
      state.counts = Counts()
      state.inFlight = []
      state.firstID = state.nextID
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
    Self.count(path, in: &byPath, limit: RequestLog.pathLimit)
    Self.count(userAgent, in: &userAgents, limit: RequestLog.agentLimit)
  }

  private static func count(_ key: String, in table: inout [String: Int], limit: Int) {
    if table.count < limit || table[key] != nil { table[key, default: 0] += 1 }
  }
}

/// Logs every request to the sources, from its arrival to the last byte of its response.
struct RequestLogger: RouterMiddleware {
  typealias Context = ReplayRequestContext

  let log: RequestLog
  let sources: SourceTable

  func handle(
    _ request: Request,
    context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    var context = context
    context.ticket = log.begin(request, source: sources.find(request.uri.path)?.source.name)
    do {
      let response = try await next(request, context)
      return logged(response, ticket: context.ticket, isHead: request.method == .head)
    } catch {
      log.end(context.ticket, status: nil, bytes: 0, isComplete: false)
      throw error
    }
  }

  /// The same response, which logs its end when its body is written.
  private func logged(_ response: Response, ticket: Int, isHead: Bool) -> Response {
    let body = response.body
    var logged = response
    let status = response.status.code
    // A fault may declare a wrong length; the client relies on the declared one.
    let promised = response.headers[.contentLength]
    let expected = isHead || response.status == .notModified ? 0 : promised.flatMap { Int($0) }
    // Logged before the last bytes are written: the client may send its next request right after them, and
    // two sequential requests must not count as concurrent.
    if expected == 0 { log.end(ticket, status: status, bytes: 0, isComplete: true) }
    logged.body = ResponseBody(contentLength: body.contentLength) { [log] writer in
      let counter = ByteCounter()
      do {
        try await body.write(
          CountingWriter(base: writer, counter: counter) { bytes in
            if bytes >= expected ?? .max { log.end(ticket, status: status, bytes: bytes, isComplete: true) }
          }
        )
        log.end(ticket, status: status, bytes: counter.bytes, isComplete: true)
      } catch {
        log.end(ticket, status: status, bytes: counter.bytes, isComplete: false)
        throw error
      }
    }
    logged.headers[.contentLength] = promised
    return logged
  }
}

/// Confined to the task that writes a body.
private final class ByteCounter {
  var bytes = 0
}

private struct CountingWriter: ResponseBodyWriter {
  var base: any ResponseBodyWriter
  let counter: ByteCounter
  /// Called before each write with the total that the client will have after it.
  let willReach: (Int) -> Void

  mutating func write(_ buffer: ByteBuffer) async throws {
    willReach(counter.bytes + buffer.readableBytes)
    try await base.write(buffer)
    counter.bytes += buffer.readableBytes
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
    try await base.finish(trailingHeaders)
  }
}
