// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Answers on the connection's own thread what is ready in memory; all else goes on to the application.
///
/// Most of what readers ask for was rendered or read before. To hand such a request to the application's tasks and its
/// answer back costs more than to send it (measured: half of the requests a second).
final class ReadyAnswers: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let find: @Sendable (HTTPRequest) -> Answer?
  private let now: @Sendable () -> Date
  /// After this long a request goes to the application even so: the handler that ends silent connections stands behind
  /// this one, and must see that this one is not silent.
  private let longest: TimeAmount
  private var lastPassedOn = NIODeadline.now()
  /// Requests that the application has and has not answered; what comes meanwhile has to wait its turn there.
  private var underWay = 0
  /// Whether the request that is coming in was answered already.
  private var isAnswered = false
  private var date = (second: Int64.min, text: "")

  /// Makes a handler for one connection.
  /// - Parameters:
  ///   - longest: the longest time for which the application sees nothing of a busy connection.
  ///   - now: the time, for the answers' date.
  ///   - find: gives the answer that is ready, or nothing.
  init(
    longest: TimeAmount,
    now: @escaping @Sendable () -> Date,
    find: @escaping @Sendable (HTTPRequest) -> Answer?
  ) {
    self.longest = longest
    self.now = now
    self.find = find
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(let head) = unwrapInboundIn(data) {
      isAnswered = false
      if mayBeReady(head), let answer = find(head) {
        isAnswered = true
        return send(answer, context)
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
  private func mayBeReady(_ head: HTTPRequest) -> Bool {
    underWay == 0 && head.method == .get && NIODeadline.now() - lastPassedOn < longest
      && !head.headerFields.contains {
        $0.name == .connection || $0.name == .contentLength || $0.name == .transferEncoding
          || $0.name == .expect
      }
  }

  private func send(_ answer: Answer, _ context: ChannelHandlerContext) {
    var head = answer.head
    head.headerFields[.date] = currentDate()
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if let body = answer.body { context.write(wrapOutboundOut(.body(body)), promise: nil) }
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
