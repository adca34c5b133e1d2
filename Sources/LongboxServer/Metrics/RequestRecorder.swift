// Longbox
// SPDX-License-Identifier: MIT

import CoreMetrics
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Follows each request of a connection to the end of its response, wherever that comes from, for the access log and the metrics.
///
/// It follows the ``RequestGateHandler``, which names the client, and precedes everything that responds.
final class RequestRecorder: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = IncomingPart
  typealias InboundOut = IncomingPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private struct Record {
    var entry: AccessLogEntry
    let start: NIODeadline
    /// The number of the route in the ``EndpointTable``; nil if there is none.
    let route: Int?
    var isFromMemory = false
  }

  private let log: AccessLog?
  private let metrics: RequestMetrics?
  private let now: @Sendable () -> Date
  private var peer: IPAddress?
  /// Whether the rest of a request is yet to come.
  private var isReceiving = false
  /// The requests without a whole response, in their order; ``ByteGate`` bounds their number.
  private var requests = CircularBuffer<Record>()

  /// Creates a recorder for one connection.
  /// - Parameters:
  ///   - log: the access log; nil if there is none.
  ///   - metrics: the counters; nil if there are none.
  ///   - now: the time, for the log.
  init(_ log: AccessLog?, _ metrics: RequestMetrics?, now: @escaping @Sendable () -> Date) {
    self.log = log
    self.metrics = metrics
    self.now = now
  }

  func handlerAdded(context: ChannelHandlerContext) {
    peer = IPAddress(context.remoteAddress)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let request):
      isReceiving = true
      begin(request.head, from: request.client, route: request.match?.entry.number, context)
    case .body: break
    case .end: isReceiving = false
    }
    context.fireChannelRead(data)
  }

  /// Records a request that the decoder can't read; the application answers it with status 400.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if error is HTTPParserError, !isReceiving {
      isReceiving = true
      begin(.unreadable, from: peer, route: nil, context)
    }
    context.fireErrorCaught(error)
  }

  /// Notes that the response to the first request without one comes from memory.
  func noteFromMemory() {
    guard let first = requests.indices.first else { return }
    requests[first].isFromMemory = true
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if let first = requests.indices.first {
      switch unwrapOutboundIn(data) {
      case .head(let head):
        if head.status.kind != .informational {
          requests[first].entry.status = head.status.code
          if let name = HTTPField.Name.requestID { requests[first].entry.id = head.headerFields[name] }
        }
      case .body(let bytes): requests[first].entry.byteCount += bytes.readableBytes
      case .end: endFirst(at: context.eventLoop.now)
      }
    }
    context.write(data, promise: promise)
  }

  func channelInactive(context: ChannelHandlerContext) {
    while !requests.isEmpty { endFirst(at: context.eventLoop.now) }
    context.fireChannelInactive()
  }

  private func begin(
    _ request: HTTPRequest,
    from client: IPAddress?,
    route: Int?,
    _ context: ChannelHandlerContext
  ) {
    let entry = AccessLogEntry(time: now(), client: client, request: request)
    requests.append(Record(entry: entry, start: context.eventLoop.now, route: route))
  }

  private func endFirst(at end: NIODeadline) {
    var record = requests.removeFirst()
    let nanoseconds = (end - record.start).nanoseconds
    record.entry.duration = .nanoseconds(nanoseconds)
    log?.note(record.entry)
    metrics?.note(
      record.entry.request.method,
      route: record.route,
      status: record.entry.status ?? AccessLogEntry.clientLeft,
      nanoseconds: nanoseconds,
      isFromMemory: record.isFromMemory
    )
  }
}

extension HTTPRequest {
  /// Stands for a request that can't be read.
  static let unreadable = HTTPRequest(
    method: Method("-") ?? .get,
    scheme: nil,
    authority: nil,
    path: nil
  )
}

/// Counts requests by method, route and status, and their durations.
///
/// The instruments for responses from memory are created in advance, so those responses need no allocation and no lock.
struct RequestMetrics: Sendable {
  /// The instruments of a route.
  struct Route: Sendable {
    let path: String
    let ok, notModified: Counter
    let duration: CoreMetrics.Timer
  }

  private let metrics: ServerMetrics
  /// By the number of the route in the ``EndpointTable``.
  private let routes: [Route]
  private let unknown: Route
  private let fromMemory, fromApplication: Counter

  /// Prepares the instruments.
  /// - Parameters:
  ///   - metrics: keeps the instruments.
  ///   - paths: the paths of the routes, in the order of their numbers.
  init(_ metrics: ServerMetrics, paths: [String]) {
    func route(_ path: String) -> Route {
      func counter(_ status: String) -> Counter {
        metrics.counter("longbox_http_requests_total", ("method", "GET"), ("route", path), ("status", status))
      }
      return Route(
        path: path,
        ok: counter("200"),
        notModified: counter("304"),
        duration: CoreMetrics.Timer(
          label: "longbox_http_request_duration_seconds",
          dimensions: [("route", path)],
          factory: metrics.factory
        )
      )
    }
    self.metrics = metrics
    routes = paths.map { route("/\($0)") }
    unknown = route("unknown")
    fromMemory = metrics.counter("longbox_cache_answers_total", ("cache", "responses"), ("tier", "memory"))
    fromApplication = metrics.counter(
      "longbox_cache_answers_total",
      ("cache", "responses"),
      ("tier", "application")
    )
  }

  /// Counts a response.
  /// - Parameters:
  ///   - method: the request's method.
  ///   - number: the number of the route; nil if none was found.
  ///   - status: the response's status.
  ///   - nanoseconds: the time until its end.
  ///   - isFromMemory: whether it came from memory; otherwise the application made it.
  func note(
    _ method: HTTPRequest.Method,
    route number: Int?,
    status: Int,
    nanoseconds: Int64,
    isFromMemory: Bool
  ) {
    let route = number.map { routes[$0] } ?? unknown
    (isFromMemory ? fromMemory : fromApplication).increment()
    route.duration.recordNanoseconds(nanoseconds)
    count(method, route, status)
  }

  private func count(_ method: HTTPRequest.Method, _ route: Route, _ status: Int) {
    if method == .get, status == 200 { return route.ok.increment() }
    if method == .get, status == 304 { return route.notModified.increment() }
    let known: Set<HTTPRequest.Method> = [.get, .head, .post, .delete]
    metrics.counter(
      "longbox_http_requests_total",
      ("method", known.contains(method) ? method.rawValue : "other"),
      ("route", route.path),
      ("status", String(status))
    )
    .increment()
  }
}
