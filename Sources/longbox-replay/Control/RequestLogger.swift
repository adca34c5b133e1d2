// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird

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
    let path = request.uri.path
    var context = context
    context.ticket = log.begin(
      method: request.method.rawValue,
      path: path,
      query: request.uri.query,
      source: sources.find(path)?.source.name,
      userAgent: request.headers[.userAgent],
      isConditional: request.headers.contains(.ifNoneMatch) || request.headers.contains(.ifModifiedSince)
    )
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
