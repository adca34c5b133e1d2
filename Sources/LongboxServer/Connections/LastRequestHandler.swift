// Longbox
// SPDX-License-Identifier: MIT

import NIOCore
import NIOHTTP1

/// Ends a connection after the response to a request that asks for it: one with `Connection: close`, or of HTTP/1.0
/// (RFC 9112, section 9.3).
///
/// It comes before the types without a version. What follows it closes for exactly `Connection: close`, so such a
/// request gets that header. A client of HTTP/1.0 gets a response without chunks, which it couldn't read.
final class LastRequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private enum State {
    case open
    /// The last request has come; so many earlier ones have no complete response.
    case ending(isOld: Bool, earlier: Int)
  }

  private var state = State.open
  /// Whether the last request is complete, so that anything more is ignored.
  private var isComplete = false
  private let earlierRequests: () -> Int

  /// Creates a handler for one connection.
  /// - Parameter earlierRequests: the number of requests before the incoming one whose response is incomplete.
  init(earlierRequests: @escaping () -> Int) {
    self.earlierRequests = earlierRequests
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isComplete else { return }
    switch (unwrapInboundIn(data), state) {
    case (.head(var head), .open):
      let isOld = (head.version.major, head.version.minor) < (1, 1)
      guard isOld || Self.asksToClose(head.headers) else { return context.fireChannelRead(data) }
      state = .ending(isOld: isOld, earlier: earlierRequests())
      head.headers.replaceOrAdd(name: "connection", value: "close")
      context.fireChannelRead(wrapInboundOut(.head(head)))
    case (.end, .ending):
      isComplete = true
      context.fireChannelRead(data)
    default: context.fireChannelRead(data)
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .ending(let isOld, let earlier) = state else { return context.write(data, promise: promise) }
    switch unwrapOutboundIn(data) {
    case .head(var head) where earlier == 0:
      head.headers.replaceOrAdd(name: "connection", value: "close")
      if isOld { head.version = .http1_0 }
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .end where earlier > 0:
      state = .ending(isOld: isOld, earlier: earlier - 1)
      context.write(data, promise: promise)
    default: context.write(data, promise: promise)
    }
  }

  private static func asksToClose(_ headers: HTTPHeaders) -> Bool {
    headers[canonicalForm: "connection"].contains { $0.lowercased() == "close" }
  }
}
