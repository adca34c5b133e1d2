// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import LongboxReaders
import NIOCore
import NIOHTTPTypes

/// Sends responses that are in memory directly on the connection's event loop; all other requests go to the
/// application.
///
/// Most responses are in memory. Passing such a request to the application costs more than sending the
/// response: it halves the requests a second (measured). While the client doesn't read, requests wait here. Of
/// pipelined requests, the handler answers one at a time, so other connections aren't delayed.
final class CachedResponseHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let find: (HTTPRequest, ClientAddress) -> CachedResponse?
  private let now: @Sendable () -> Date
  private let fairQueue: FairQueue
  /// Requests that the application has not answered yet; later ones must wait for them.
  private var underWay = 0
  /// Whether the incoming request has been answered already.
  private var isAnswered = false
  /// What was received while the client didn't read or other connections were first; ``ByteGate`` bounds it.
  private var waiting = CircularBuffer<HTTPRequestPart>()
  /// Whether a response was sent since the last call from the queue.
  private var hasAnswered = false
  private var isNextScheduled = false
  /// Whether the client has closed its side, and requests wait that came before.
  private var isInputClosed = false
  private var client = ClientAddress.unknown
  private var date = (second: Int64.min, text: "")

  /// Creates a handler for one connection.
  /// - Parameters:
  ///   - now: the time, for the `Date` header.
  ///   - fairQueue: the queue of the connection's event loop.
  ///   - find: finds the response in memory.
  init(
    now: @escaping @Sendable () -> Date,
    fairQueue: FairQueue,
    find: @escaping (HTTPRequest, ClientAddress) -> CachedResponse?
  ) {
    self.now = now
    self.fairQueue = fairQueue
    self.find = find
  }

  func handlerAdded(context: ChannelHandlerContext) {
    client = ClientAddress(context.remoteAddress)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = unwrapInboundIn(data)
    guard waiting.isEmpty, mayPass(part, context) else { return waiting.append(part) }
    process(part, context)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if waiting.isEmpty { hasAnswered = false } else { scheduleNext(context) }
    context.flush()
    context.fireChannelReadComplete()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    context.fireChannelWritabilityChanged()
    if !waiting.isEmpty { scheduleNext(context) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? ChannelEvent, event == .inputClosed, !waiting.isEmpty {
      isInputClosed = true
      return
    }
    context.fireUserInboundEventTriggered(event)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) { underWay -= 1 }
    context.write(data, promise: promise)
  }

  /// Answers the next waiting request after the work of other connections.
  private func scheduleNext(_ context: ChannelHandlerContext) {
    guard !isNextScheduled, context.channel.isWritable else { return }
    isNextScheduled = true
    fairQueue.add { [self] in
      isNextScheduled = false
      if context.channel.isActive { answerNext(context) }
    }
  }

  private func answerNext(_ context: ChannelHandlerContext) {
    hasAnswered = false
    while let part = waiting.first, mayPass(part, context) {
      waiting.removeFirst()
      process(part, context)
    }
    context.flush()
    context.fireChannelReadComplete()
    if !waiting.isEmpty { return scheduleNext(context) }
    hasAnswered = false
    if isInputClosed {
      isInputClosed = false
      context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }
  }

  /// Whether a part may be processed: a new request waits until the client has read what was sent before, and
  /// for the queue if it is not the first.
  private func mayPass(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) -> Bool {
    guard case .head = part else { return true }
    return !hasAnswered && context.channel.isWritable
  }

  private func process(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
    if case .head(let head) = part {
      isAnswered = false
      if mayBeCached(head), let response = find(head, client) {
        isAnswered = true
        hasAnswered = true
        return send(response, context)
      }
      underWay += 1
    }
    if !isAnswered { context.fireChannelRead(wrapInboundOut(part)) }
  }

  /// Whether the request is a GET without a body that doesn't control the connection.
  private func mayBeCached(_ head: HTTPRequest) -> Bool {
    underWay == 0 && head.method == .get
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
