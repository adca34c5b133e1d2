// Longbox
// SPDX-License-Identifier: MIT

import CoreMetrics
import HTTPTypes

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
