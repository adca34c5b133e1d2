// Longbox
// SPDX-License-Identifier: MIT

import CoreMetrics
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Counts requests by method, route and status, and their durations.
///
/// The instruments for responses from memory are created in advance, so those responses need no allocation and no lock.
struct RequestMetrics: Sendable {
  /// The instruments of a route.
  struct Route: Sendable {
    let path: String
    let ok, notModified: Counter
    let duration: Timer
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
        duration: Timer(
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

  /// Counts a response from memory, to a GET request.
  func noteFromMemory(route number: Int, status: Int, nanoseconds: Int64) {
    let route = routes[number]
    fromMemory.increment()
    route.duration.recordNanoseconds(nanoseconds)
    count(.get, route, status)
  }

  /// Counts a response of the application.
  /// - Parameters:
  ///   - number: the number of the route; nil if none was found.
  ///   - method: the request's method.
  ///   - status: the response's status.
  ///   - nanoseconds: the time until its end.
  func note(route number: Int?, _ method: HTTPRequest.Method, status: Int, nanoseconds: Int64) {
    let route = number.map { routes[$0] } ?? unknown
    fromApplication.increment()
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

/// The route of a response from memory; shared by the handlers of one connection.
final class CachedRouteNumber {
  /// The number of the route; nil if the last response was not from memory.
  var number: Int?
}

/// Counts a connection's requests and responses, from memory or from the application.
final class MetricsHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private struct Request {
    let method: HTTPRequest.Method
    let path: String
    let start: NIODeadline
    var status = AccessLogEntry.clientLeft
    /// The number of the route, if the response is from memory.
    var route: Int?
  }

  private let metrics: RequestMetrics
  private let cached: CachedRouteNumber
  private let route: (String) -> Int?
  /// Whether the rest of a request is yet to come.
  private var isReceiving = false
  /// The requests whose responses aren't complete, in order; ``ByteGate`` limits their number.
  private var requests = CircularBuffer<Request>()

  /// Creates a handler for one connection.
  /// - Parameters:
  ///   - metrics: the counters.
  ///   - cached: the route of a response from memory.
  ///   - route: finds the number of the route for an address.
  init(_ metrics: RequestMetrics, cached: CachedRouteNumber, route: @escaping (String) -> Int?) {
    self.metrics = metrics
    self.cached = cached
    self.route = route
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      isReceiving = true
      note(head, context)
    case .body: break
    case .end: isReceiving = false
    }
    context.fireChannelRead(data)
  }

  /// Counts a request that the decoder can't read; the application answers it with status 400.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if error is HTTPParserError, !isReceiving {
      isReceiving = true
      note(.unreadable, context)
    }
    context.fireErrorCaught(error)
  }

  private func note(_ request: HTTPRequest, _ context: ChannelHandlerContext) {
    requests.append(Request(method: request.method, path: request.path ?? "", start: context.eventLoop.now))
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if let first = requests.indices.first {
      switch unwrapOutboundIn(data) {
      case .head(let head):
        if head.status.kind != .informational { requests[first].status = head.status.code }
        requests[first].route = cached.number
        cached.number = nil
      case .body: break
      case .end: countFirst(at: context.eventLoop.now)
      }
    }
    context.write(data, promise: promise)
  }

  func channelInactive(context: ChannelHandlerContext) {
    while !requests.isEmpty { countFirst(at: context.eventLoop.now) }
    context.fireChannelInactive()
  }

  private func countFirst(at end: NIODeadline) {
    let request = requests.removeFirst()
    let nanoseconds = (end - request.start).nanoseconds
    if let route = request.route {
      metrics.noteFromMemory(route: route, status: request.status, nanoseconds: nanoseconds)
    } else {
      metrics.note(
        route: request.method == HTTPRequest.unreadable.method ? nil : route(request.path),
        request.method,
        status: request.status,
        nanoseconds: nanoseconds
      )
    }
  }
}
