// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import LongboxReaders
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

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

/// Ends a connection with the rejection of a request, after the responses to earlier ones (RFC 9112, section 9.3.2).
///
/// Only connections with a rejection have it, so that it costs the others nothing.
final class RejectionHandler: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let status: HTTPResponse.Status
  private let sentence: String
  /// The number of responses that come first.
  private var remaining: Int
  /// Whether the rejection was written, or the application has closed the connection; nothing is written any more.
  private var isOver = false

  /// Creates a handler for one connection.
  /// - Parameters:
  ///   - status: the status of the rejection.
  ///   - sentence: its text.
  ///   - remaining: the number of requests before it whose response is incomplete.
  init(_ status: HTTPResponse.Status, _ sentence: String, after remaining: Int) {
    self.status = status
    self.sentence = sentence
    self.remaining = remaining
  }

  func handlerAdded(context: ChannelHandlerContext) {
    if remaining <= 0 { reject(context) }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if isOver {
      promise?.fail(ChannelError.ioOnClosedChannel)
      return
    }
    context.write(data, promise: promise)
    // An interim response (1xx) has no end.
    guard case .end = unwrapOutboundIn(data) else { return }
    remaining -= 1
    if remaining <= 0 { reject(context) }
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    if mode != .input { isOver = true }
    context.close(mode: mode, promise: promise)
  }

  /// Writes the rejection, and closes the connection when it is sent.
  private func reject(_ context: ChannelHandlerContext) {
    isOver = true
    var fields = HTTPFields.guarding
    fields[.connection] = "close"
    fields[.contentType] = "text/plain; charset=utf-8"
    fields[.contentLength] = "\(sentence.utf8.count)"
    let head = HTTPResponse(status: status, headerFields: fields)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(ByteBuffer(string: sentence))), promise: nil)
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
  }
}
