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

/// Damages the body of a normal response, whatever its status.
struct FaultyBody: Sendable {
  let kind: Fault.Kind
  let clock: any Clock<Duration>

  /// The maximum length of an endless body, for clients that never disconnect.
  private static let endlessLimit = 1 << 34

  func applied(to response: Response) async throws -> Response {
    let bytes = try await response.body.collected()
    var faulty = response
    switch kind {
    case .cut(let after):
      let kept = min(after ?? bytes.readableBytes / 2, bytes.readableBytes)
      promise(bytes.readableBytes, of: broken(bytes, after: kept), in: &faulty)
    case .length(let offset) where offset > 0:
      promise(bytes.readableBytes + offset, of: broken(bytes, after: bytes.readableBytes), in: &faulty)
    case .length(let offset):
      promise(max(0, bytes.readableBytes + offset), of: whole(bytes), in: &faulty)
    case .drip(let bytesPerSecond):
      promise(bytes.readableBytes, of: dripping(bytes, bytesPerSecond), in: &faulty)
    case .empty:
      faulty.body = ResponseBody()
      faulty.headers[.contentLength] = "0"
    case .endless:
      faulty.body = endless(bytes)
      faulty.headers[.contentLength] = nil
    case .wrongNumber(let number):
      faulty.body = ResponseBody(byteBuffer: bytes.replacingNumber(with: number))
    case .delay, .status, .html, .reset, .redirect:
      break
    }
    return faulty
  }

  private func promise(_ length: Int, of body: ResponseBody, in response: inout Response) {
    response.body = body
    response.headers[.contentLength] = String(length)
  }

  private func whole(_ bytes: ByteBuffer) -> ResponseBody {
    ResponseBody { writer in
      try await writer.write(bytes)
      try await writer.finish(nil)
    }
  }

  private func broken(_ bytes: ByteBuffer, after count: Int) -> ResponseBody {
    ResponseBody { writer in
      var bytes = bytes
      if count > 0, let kept = bytes.readSlice(length: count) { try await writer.write(kept) }
      throw BrokenOff()
    }
  }

  /// Writes ten portions a second, or single bytes below ten bytes a second.
  private func dripping(_ bytes: ByteBuffer, _ bytesPerSecond: Int) -> ResponseBody {
    ResponseBody { writer in
      var bytes = bytes
      let portion = max(1, bytesPerSecond / 10)
      let pause = Duration.seconds(1) * portion / bytesPerSecond
      while bytes.readableBytes > 0, let slice = bytes.readSlice(length: min(portion, bytes.readableBytes)) {
        try await writer.write(slice)
        try await clock.sleep(for: pause)
      }
      try await writer.finish(nil)
    }
  }

  /// Repeats the bytes, chunked so that no length is declared.
  ///
  /// A pause after each portion keeps unread data from piling up here.
  private func endless(_ bytes: ByteBuffer) -> ResponseBody {
    let pattern = bytes.readableBytes > 0 ? bytes : ByteBuffer(string: " ")
    var portion = ByteBuffer()
    while portion.readableBytes < 65_536 { portion.writeImmutableBuffer(pattern) }
    return ResponseBody { [portion] writer in
      for _ in 0..<(Self.endlessLimit / portion.readableBytes) {
        try await writer.write(portion)
        try await clock.sleep(for: .milliseconds(1))
      }
      throw BrokenOff()
    }
  }
}

extension ResponseBody {
  func collected() async throws -> ByteBuffer {
    let collector = Collector()
    try await write(collector)
    return collector.bytes
  }

  private final class Collector: ResponseBodyWriter {
    var bytes = ByteBuffer()

    func write(_ buffer: ByteBuffer) async throws { bytes.writeImmutableBuffer(buffer) }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
  }
}

extension ByteBuffer {
  /// The record with another `num`, otherwise byte for byte the same; unchanged without a `num`.
  func replacingNumber(with replacement: Int?) -> ByteBuffer {
    let text = String(buffer: self)
    guard let found = text.firstMatch(of: /"num"\s*:\s*(-?\d+)/), let number = Int(found.1) else {
      return self
    }
    var changed = text
    changed.replaceSubrange(found.1.startIndex..<found.1.endIndex, with: String(replacement ?? number + 1))
    return ByteBuffer(string: changed)
  }
}
