// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Sends responses that are in memory directly on the connection's event loop; all other requests go to the
/// application.
///
/// Most responses are in memory. Passing such a request to the application costs more than sending the
/// response: it halves the requests a second (measured).
final class CachedResponseHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let find: @Sendable (HTTPRequest, Peer?) -> CachedResponse?
  private let now: @Sendable () -> Date
  /// After this long a request goes to the application anyway: the idle handler behind this one closes
  /// connections on which it sees no traffic.
  private let longest: TimeAmount
  private var lastPassedOn = NIODeadline.now()
  /// Requests that the application has not answered yet; later ones must wait for them.
  private var underWay = 0
  /// Whether the incoming request has been answered already.
  private var isAnswered = false
  private var peer: Peer?
  private var date = (second: Int64.min, text: "")

  /// Creates a handler for one connection.
  /// - Parameters:
  ///   - longest: the maximum time without passing a request of a busy connection to the application.
  ///   - now: the time, for the `Date` header.
  ///   - find: finds the response in memory.
  init(
    longest: TimeAmount,
    now: @escaping @Sendable () -> Date,
    find: @escaping @Sendable (HTTPRequest, Peer?) -> CachedResponse?
  ) {
    self.longest = longest
    self.now = now
    self.find = find
  }

  func handlerAdded(context: ChannelHandlerContext) {
    peer = Peer(context.remoteAddress)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(let head) = unwrapInboundIn(data) {
      isAnswered = false
      if mayBeCached(head), let response = find(head, peer) {
        isAnswered = true
        return send(response, context)
      }
      underWay += 1
      lastPassedOn = .now()
    }
    if !isAnswered { context.fireChannelRead(data) }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    context.flush()
    context.fireChannelReadComplete()
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) { underWay -= 1 }
    context.write(data, promise: promise)
  }

  /// Whether the request is a GET without a body that doesn't control the connection.
  private func mayBeCached(_ head: HTTPRequest) -> Bool {
    underWay == 0 && head.method == .get && NIODeadline.now() - lastPassedOn < longest
      && !head.headerFields.contains {
        $0.name == .connection || $0.name == .contentLength || $0.name == .transferEncoding
          || $0.name == .expect
      }
  }

  private func send(_ response: CachedResponse, _ context: ChannelHandlerContext) {
    var head = response.head
    head.headerFields[.date] = currentDate()
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if let body = response.body { context.write(wrapOutboundOut(.body(body)), promise: nil) }
    context.write(wrapOutboundOut(.end(nil)), promise: nil)
  }

  /// The `Date` header, formatted again once a second.
  private func currentDate() -> String {
    let now = now()
    let second = Int64(now.timeIntervalSince1970)
    if second != date.second { date = (second, now.inHeader) }
    return date.text
  }
}
