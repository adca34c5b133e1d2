// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore

/// Makes the handlers of a connection between the HTTP decoder and the application.
struct RequestHandlers: Sendable {
  let endpoints: EndpointTable
  let limits: Limits
  let basePath: BasePath
  let forwarding: Forwarding
  let accessLog: AccessLog?
  let metrics: RequestMetrics?
  let now: @Sendable () -> Date

  /// The handlers of a connection, in the order in which a request passes them.
  func make(for monitor: ConnectionMonitor) -> [any ChannelHandler] {
    let logging = accessLog.map { AccessLogHandler($0, now: now) }
    let cached = metrics.map { _ in CachedRouteNumber() }
    let counting = metrics.flatMap { metrics in
      cached.map { MetricsHandler(metrics, cached: $0) { endpoints.entry(at: URI($0).path)?.number } }
    }
    let handlers: [(any ChannelHandler)?] = [
      ForwardingHandler(forwarding, floods: endpoints.floods),
      basePath.isEmpty ? nil : BasePathHandler(basePath),
      logging,
      counting,
      RequestGuard(
        addressLimit: limits.addressLength,
        hosts: endpoints.gate.hosts,
        peer: monitor.registered.address,
        floods: endpoints.floods,
        // ``RequestTracker`` has counted the incoming one.
        earlierRequests: { monitor.deadlines.requestsInProgress - 1 },
        bodyLimit: { endpoints.bodyLimit(of: $0) }
      ),
      CachedResponseHandler(now: now, fairQueue: monitor.fairQueue, unsent: endpoints.unsent) {
        request,
        client in
        guard let (response, route) = endpoints.cachedResponse(to: request, from: client) else {
          return nil
        }
        cached?.number = route
        return response
      },
    ]
    return handlers.compactMap { $0 }
  }
}
