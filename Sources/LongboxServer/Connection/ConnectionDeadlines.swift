// Longbox
// SPDX-License-Identifier: MIT

import NIOCore

/// What a connection is doing, and whether it takes too long.
///
/// It reads no clock. Its times come from the connection's event loop.
struct ConnectionDeadlines {
  private struct Body {
    var since: NIODeadline
    var count = 0
  }

  private let limits: Limits
  /// When the first byte of an incomplete head came.
  private var headSince: NIODeadline?
  /// The body that is being received.
  private var body: Body?
  /// The requests whose response is incomplete.
  private(set) var requestsInProgress = 0
  private var idleSince: NIODeadline
  /// Since when the client has read none of the bytes that wait for it.
  private var stalledSince: NIODeadline?
  /// The bytes that were written and that still wait, at the last check.
  private var output = (written: 0, waiting: 0)
  private var lastCheck: NIODeadline
  /// When the client last sent or took something for a request.
  private(set) var lastProgress: NIODeadline

  init(limits: Limits, at now: NIODeadline) {
    self.limits = limits
    idleSince = now
    lastCheck = now
    lastProgress = now
  }

  /// Whether the body of a request is being received.
  var isReceivingBody: Bool { body != nil }

  /// Whether nothing was received that needs a response.
  var isIdle: Bool { requestsInProgress == 0 && headSince == nil && body == nil }

  mutating func bytesArrived(at now: NIODeadline) {
    if headSince == nil, body == nil { headSince = now }
  }

  mutating func headArrived(at now: NIODeadline) {
    headSince = nil
    body = Body(since: now)
    requestsInProgress += 1
    lastProgress = now
  }

  mutating func bodyArrived(_ count: Int, at now: NIODeadline) {
    body?.count += count
    lastProgress = now
  }

  mutating func requestEnded() {
    body = nil
  }

  mutating func responseEnded(at now: NIODeadline) {
    // Malformed bytes get a response, too, although they never counted as a request.
    requestsInProgress = max(0, requestsInProgress - 1)
    idleSince = now
    lastProgress = now
  }

  /// Checks all deadlines; it should be called about once a second.
  /// - Parameters:
  ///   - now: the time.
  ///   - written: the number of bytes written since the connection began.
  ///   - waiting: how many of them the system has not taken yet.
  ///   - isReading: whether the server waits for the client; otherwise the client is not to blame.
  ///   - idleTime: the maximum time between two requests.
  /// - Returns: which deadline has passed, if any.
  mutating func check(
    at now: NIODeadline,
    written: Int,
    waiting: Int,
    isReading: Bool,
    idleTime: TimeAmount
  ) -> MissedDeadline? {
    if !isReading {
      let pause = now - lastCheck
      headSince = headSince.map { $0 + pause }
      if let body { self.body?.since = body.since + pause }
    }
    lastCheck = now
    if waiting == 0 {
      if stalledSince != nil { idleSince = now }
      stalledSince = nil
    } else if stalledSince == nil || output != (written, waiting) {
      stalledSince = now
    }
    if output != (written, waiting) { lastProgress = now }
    output = (written, waiting)
    return missed(at: now, idleTime: idleTime)
  }

  private func missed(at now: NIODeadline, idleTime: TimeAmount) -> MissedDeadline? {
    if let stalledSince, now - stalledSince >= TimeAmount(limits.stallTime) { return .response }
    if let headSince, now - headSince >= TimeAmount(limits.headTime) { return .head }
    if let body {
      let elapsed = now - body.since
      let least = Double(elapsed.nanoseconds) / 1e9 * Double(limits.bodyRate)
      let isSlow = elapsed >= TimeAmount(limits.headTime) && Double(body.count) < least
      if isSlow || elapsed >= TimeAmount(limits.bodyTime) { return .body }
    }
    if isIdle, stalledSince == nil, now - idleSince >= idleTime { return .idle }
    return nil
  }
}

/// A deadline that a connection has missed.
enum MissedDeadline: Equatable {
  case head, body, response, idle

  /// How it is logged; an idle connection is nothing unusual.
  var incident: Incident? {
    switch self {
    case .head: .slowHead
    case .body: .slowBody
    case .response: .stalledResponse
    case .idle: nil
    }
  }
}
