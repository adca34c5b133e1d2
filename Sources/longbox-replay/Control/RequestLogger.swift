// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird

/// Writes every request to the sources into the log, from its arrival to the last byte of its answer.
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
      return logged(try await next(request, context), ticket: context.ticket)
    } catch {
      log.end(context.ticket, status: nil, bytes: 0, isComplete: false)
      throw error
    }
  }

  /// The same answer, whose end is noted when its body has been written.
  private func logged(_ response: Response, ticket: Int) -> Response {
    let body = response.body
    var logged = response
    let status = response.status.code
    let length = response.headers[.contentLength]
    logged.body = ResponseBody(contentLength: body.contentLength) { [log] writer in
      let counter = ByteCounter()
      do {
        try await body.write(CountingWriter(base: writer, counter: counter))
        log.end(ticket, status: status, bytes: counter.bytes, isComplete: true)
      } catch {
        log.end(ticket, status: status, bytes: counter.bytes, isComplete: false)
        throw error
      }
    }
    // A fault may promise another length than its body has.
    logged.headers[.contentLength] = length
    return logged
  }
}

/// Stays within the one task that writes a body.
private final class ByteCounter {
  var bytes = 0
}

private struct CountingWriter: ResponseBodyWriter {
  var base: any ResponseBodyWriter
  let counter: ByteCounter

  mutating func write(_ buffer: ByteBuffer) async throws {
    try await base.write(buffer)
    counter.bytes += buffer.readableBytes
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
    try await base.finish(trailingHeaders)
  }
}
