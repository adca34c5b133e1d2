// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
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
  typealias InboundIn = IncomingPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let find: (IncomingRequest) -> CachedResponse?
  private let unsent: UnsentBytes
  private let now: @Sendable () -> Date
  private let fairQueue: FairQueue
  /// Requests that the application has not answered yet; later ones must wait for them.
  private var underWay = 0
  /// Whether the incoming request has been answered already.
  private var isAnswered = false
  /// What was received while the client didn't read or other connections were first; ``ByteGate`` bounds it.
  private var waiting = CircularBuffer<IncomingPart>()
  /// What the client has not read yet of a response, and its share of the bytes that wait.
  private var rest: (bytes: ResponseBytes, share: UnsentBytes.Share?)?
  private var isSending = false
  /// Whether a response was sent since the last call from the queue.
  private var hasAnswered = false
  private var isNextScheduled = false
  /// Whether the client has closed its side, and requests wait that came before.
  private var isInputClosed = false
  private var date = (second: Int64.min, text: "")

  /// Creates a handler for one connection.
  /// - Parameters:
  ///   - now: the time, for the `Date` header.
  ///   - fairQueue: the queue of the connection's event loop.
  ///   - unsent: counts the long responses.
  ///   - find: finds the response in memory.
  init(
    now: @escaping @Sendable () -> Date,
    fairQueue: FairQueue,
    unsent: UnsentBytes,
    find: @escaping (IncomingRequest) -> CachedResponse?
  ) {
    self.now = now
    self.fairQueue = fairQueue
    self.unsent = unsent
    self.find = find
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
    if rest != nil, !isSending {
      sendRest(context)
      context.flush()
    }
    if !waiting.isEmpty || isInputClosed { scheduleNext(context) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    rest = nil
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? ChannelEvent, event == .inputClosed, !waiting.isEmpty || rest != nil {
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
    guard !isNextScheduled, rest == nil, context.channel.isWritable else { return }
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
  private func mayPass(_ part: IncomingPart, _ context: ChannelHandlerContext) -> Bool {
    guard case .head = part else { return true }
    return !hasAnswered && rest == nil && context.channel.isWritable
  }

  private func process(_ part: IncomingPart, _ context: ChannelHandlerContext) {
    switch part {
    case .head(let request):
      isAnswered = false
      if mayBeCached(request.head), let response = find(request), send(response, to: request, context) {
        isAnswered = true
        hasAnswered = true
        return
      }
      underWay += 1
      context.fireChannelRead(wrapInboundOut(.head(request.head)))
    case .body(let bytes):
      if !isAnswered { context.fireChannelRead(wrapInboundOut(.body(bytes))) }
    case .end(let fields):
      if !isAnswered { context.fireChannelRead(wrapInboundOut(.end(fields))) }
    }
  }

  /// Whether the request is a GET without a body that doesn't control the connection.
  ///
  /// Browsers ask to keep it, as it is anyway. What a client of HTTP/1.0 asks for, ``LastRequestHandler`` has replaced.
  private func mayBeCached(_ head: HTTPRequest) -> Bool {
    underWay == 0 && head.method == .get
      && !head.headerFields.contains {
        ($0.name == .connection && $0.value.lowercased() != "keep-alive")
          || $0.name == .contentLength || $0.name == .transferEncoding || $0.name == .expect
      }
  }

  /// Sends a response.
  /// - Returns: false if too many bytes wait for clients, so that nothing was sent.
  private func send(
    _ response: CachedResponse,
    to request: IncomingRequest,
    _ context: ChannelHandlerContext
  ) -> Bool {
    var head = response.head
    let length = response.body?.count ?? 0
    var share: UnsentBytes.Share?
    if length > UnsentBytes.short {
      share = unsent.share(length, for: request.address, of: head.headerFields[.eTag])
      if share == nil { return false }
    }
    head.headerFields[.date] = currentDate()
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    rest = (response.body ?? ResponseBytes(ByteBuffer()), share)
    sendRest(context)
    return true
  }

  /// Sends what is left of a response, in portions, as far as the client reads.
  private func sendRest(_ context: ChannelHandlerContext) {
    // A flush can end with a call of this method.
    guard !isSending else { return }
    isSending = true
    defer { isSending = false }
    while let portion = rest?.bytes.next() {
      context.write(wrapOutboundOut(.body(portion)), promise: nil)
      if rest?.bytes.count == 0 { break }
      if !context.channel.isWritable { context.flush() }
      guard context.channel.isWritable else { return }
    }
    guard rest != nil else { return }
    rest = nil
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

/// A response that is entirely in memory, which both ``CachedResponseHandler`` and a controller can send.
struct CachedResponse: Sendable {
  /// The status and all headers but the date.
  var head: HTTPResponse
  let body: ResponseBytes?

  /// Creates a response.
  /// - Parameters:
  ///   - status: the status.
  ///   - fields: the header fields, to which the security headers are added.
  ///   - body: the content, if any.
  init(status: HTTPResponse.Status, fields: HTTPFields, body: ResponseBytes? = nil) {
    var fields = fields
    fields.guardBrowser()
    if let body { fields[.contentLength] = String(body.count) }
    self.init(head: HTTPResponse(status: status, headerFields: fields), body: body)
  }

  /// Creates a response whose headers are complete.
  init(head: HTTPResponse, body: ResponseBytes?) {
    self.head = head
    self.body = body
  }

  var response: Response {
    Response(
      status: head.status,
      headers: head.headerFields,
      body: body?.asBody ?? ResponseBody()
    )
  }
}

extension ResponseBytes {
  /// The bytes as the body of a response from the application.
  fileprivate var asBody: ResponseBody {
    var rest = self
    // One buffer is sent together with the head.
    if count <= Self.portion, let all = rest.next() { return ResponseBody(byteBuffer: all) }
    return ResponseBody(contentLength: count) { writer in
      var rest = self
      while let portion = rest.next() { try await writer.write(portion) }
      try await writer.finish(nil)
    }
  }
}
