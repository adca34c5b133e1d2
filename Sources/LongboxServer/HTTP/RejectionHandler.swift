// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import LongboxReaders
import NIOCore
import NIOHTTPTypes

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
