// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Sends responses that are in memory on the connection's own thread; the application gets all other requests.
///
/// Most of what readers ask for was rendered or read before. Handing such a request to the application's tasks and its
/// response back costs more than sending it (measured: half of the requests a second).
final class CachedResponseHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let find: @Sendable (HTTPRequest) -> CachedResponse?
  private let now: @Sendable () -> Date
  /// After this long a request goes to the application even so: the handler that ends silent connections stands behind
  /// this one, and must see that this one is not silent.
  private let longest: TimeAmount
  private var lastPassedOn = NIODeadline.now()
  /// The requests that the application has not answered yet; later ones have to wait behind them.
  private var underWay = 0
  /// Whether the request that is coming in was answered already.
  private var isAnswered = false
  private var date = (second: Int64.min, text: "")

  /// Makes a handler for one connection.
  /// - Parameters:
  ///   - longest: the longest time for which the application sees nothing of a busy connection.
  ///   - now: the time, for the responses' date.
  ///   - find: gives the response that is in memory, or nil.
  init(
    longest: TimeAmount,
    now: @escaping @Sendable () -> Date,
    find: @escaping @Sendable (HTTPRequest) -> CachedResponse?
  ) {
    self.longest = longest
    self.now = now
    self.find = find
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(let head) = unwrapInboundIn(data) {
      isAnswered = false
      if mayBeCached(head), let response = find(head) {
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

  /// Whether a request only asks, brings nothing with it, and wants nothing of the connection.
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

  /// The time for a header, written anew once a second.
  private func currentDate() -> String {
    let now = now()
    let second = Int64(now.timeIntervalSince1970)
    if second != date.second { date = (second, now.inHeader) }
    return date.text
  }
}
