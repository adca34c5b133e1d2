// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOHTTPTypes
import Synchronization

/// What the handlers of a connection share; ``ByteGate`` and ``RequestTracker`` change it.
///
/// It belongs to the connection's event loop.
final class ConnectionMonitor {
  /// The maximum number of requests that are parsed before their turn.
  private static let mostRequests = 8

  let limits: Limits
  let registered: RegisteredConnection
  let registry: ConnectionRegistry
  let incidents: IncidentLog
  let fairQueue: FairQueue
  var deadlines: ConnectionDeadlines
  /// The number of bytes written since the connection began.
  var written = 0
  /// Whether the server stops, so that the connection ends after the requests in progress.
  var isStopping = false
  /// Whether the gate holds back bytes or a read.
  var isHolding = false
  private var isResumeScheduled = false
  /// Makes the gate pass on what it holds back.
  var resume: () -> Void = {}

  init(
    _ registered: RegisteredConnection,
    in registry: ConnectionRegistry,
    limits: Limits,
    incidents: IncidentLog,
    fairQueue: FairQueue,
    at now: NIODeadline
  ) {
    self.registered = registered
    self.registry = registry
    self.limits = limits
    self.incidents = incidents
    self.fairQueue = fairQueue
    deadlines = ConnectionDeadlines(limits: limits, at: now)
  }

  /// Calls ``resume`` from the queue, if the gate holds anything back.
  func resumeFromQueue() {
    guard isHolding, !isResumeScheduled else { return }
    isResumeScheduled = true
    fairQueue.add { [self] in
      isResumeScheduled = false
      resume()
    }
  }

  /// Whether further requests must wait, since those before them are not answered yet.
  var hasEnoughRequests: Bool { deadlines.requestsInProgress >= Self.mostRequests }

  /// The maximum time between two requests at present.
  var idleTime: TimeAmount {
    TimeAmount(registry.isCrowded ? min(limits.crowdedIdleTime, limits.idleTime) : limits.idleTime)
  }
}

/// Notes which requests of a connection are in progress, and ends it after the last one when the server stops.
final class RequestTracker: ChannelDuplexHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let monitor: ConnectionMonitor

  /// Creates a tracker for one connection.
  init(_ monitor: ConnectionMonitor) {
    self.monitor = monitor
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head:
      let now = context.eventLoop.now
      monitor.deadlines.headArrived(at: now)
      monitor.registered.noteBusy(at: now)
    case .body(let bytes): monitor.deadlines.bodyArrived(bytes.readableBytes, at: context.eventLoop.now)
    case .end: monitor.deadlines.requestEnded()
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
    let now = context.eventLoop.now
    monitor.deadlines.responseEnded(at: now)
    if monitor.deadlines.requestsInProgress == 0 { monitor.registered.noteIdle(since: now) }
    monitor.resumeFromQueue()
    guard monitor.isStopping, monitor.deadlines.requestsInProgress == 0 else {
      return context.write(data, promise: promise)
    }
    let sent = promise ?? context.eventLoop.makePromise()
    let channel = context.channel
    sent.futureResult.whenComplete { _ in channel.close(promise: nil) }
    context.write(data, promise: sent)
  }
}

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

/// Runs work of one event loop's connections that is not urgent, in order and a few pieces at a time.
///
/// An event loop runs all its tasks before it looks at the sockets again, including tasks that these tasks add. So
/// connections that always have work would keep all others waiting. Between two batches there is a pause, in
/// which the loop looks at the sockets.
///
/// It belongs to its event loop.
final class FairQueue {
  private static let batch = 16
  private static let pause = TimeAmount.microseconds(100)

  private let eventLoop: any EventLoop
  private var waiting = CircularBuffer<() -> Void>()
  private var isScheduled = false

  init(_ eventLoop: any EventLoop) {
    self.eventLoop = eventLoop
  }

  /// Adds a piece of a connection's work.
  func add(_ work: @escaping () -> Void) {
    waiting.append(work)
    schedule()
  }

  private func schedule() {
    guard !isScheduled, !waiting.isEmpty else { return }
    isScheduled = true
    eventLoop.assumeIsolated().scheduleTask(in: Self.pause) { [self] in
      isScheduled = false
      for _ in 0..<min(Self.batch, waiting.count) { waiting.removeFirst()() }
      schedule()
    }
  }
}

/// The queues of all event loops.
final class FairQueues: Sendable {
  private let queues = Mutex<[ObjectIdentifier: NIOLoopBound<FairQueue>]>([:])

  /// The queue of an event loop; it must be called on it.
  func queue(of eventLoop: any EventLoop) -> FairQueue {
    let bound = queues.withLock { queues in
      let name = ObjectIdentifier(eventLoop)
      if let bound = queues[name] { return bound }
      let bound = NIOLoopBound(FairQueue(eventLoop), eventLoop: eventLoop)
      queues[name] = bound
      return bound
    }
    return bound.value
  }
}
