// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import NIOCore

/// Applies the planned faults to matching requests; runs between the log and the sources.
struct FaultInjector: RouterMiddleware {
  typealias Context = ReplayRequestContext

  let plan: FaultPlan
  let sources: SourceTable
  let log: RequestLog
  let clock: any Clock<Duration>

  func handle(
    _ request: Request,
    context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    let path = request.uri.path
    let found = sources.find(path)
    let entry = plan.next {
      $0.matches(source: found?.source.name, path: path, inner: found?.path ?? path, query: request.uri.query)
    }
    guard let entry else { return try await next(request, context) }
    log.note(faultID: entry.id, on: context.ticket)
    if entry.fault.delay > .zero { try await clock.sleep(for: entry.fault.delay) }
    switch entry.fault.kind {
    case .delay:
      return try await next(request, context)
    case .reset:
      try await reset(context.channel)
      throw BrokenOff()
    case .status(let code, let retryAfter, let body):
      return status(code, retryAfter: retryAfter, body: body)
    case .redirect(let location, let code):
      return Response(
        status: .init(code: code),
        headers: [.location: location ?? request.uri.string]
      )
    case .html:
      return .html(status: .ok, "Please sign in to this network")
    case .cut, .length, .drip, .empty, .endless, .wrongNumber:
      let response = try await next(request, context)
      // HEAD has no body to change.
      guard request.method != .head else { return response }
      return try await FaultyBody(kind: entry.fault.kind, clock: clock).applied(to: response)
    }
  }

  private func status(_ code: Int, retryAfter: String?, body: String?) -> Response {
    let status = HTTPResponse.Status(code: code)
    var response = Response.html(status: status, "\(code) \(status.reasonPhrase)")
    if let body { response.body = ResponseBody(byteBuffer: ByteBuffer(string: body)) }
    if let retryAfter { response.headers[.retryAfter] = retryAfter }
    return response
  }

  /// Closes with SO_LINGER 0, which makes TCP send RST instead of FIN: "connection reset by peer".
  private func reset(_ channel: any Channel) async throws {
    if let socket = channel as? any SocketOptionProvider {
      try await socket.unsafeSetSocketOption(level: .socket, name: .so_linger, value: Linger()).get()
    }
    try await channel.close()
  }
}

/// POSIX `struct linger` in C layout: on, zero seconds.
private struct Linger: Sendable {
  var isOn: CInt = 1
  var seconds: CInt = 0
}

/// Aborts a response; Hummingbird then closes the connection.
struct BrokenOff: Error {}
