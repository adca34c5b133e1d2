// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Logs each request of a connection with its response, wherever that comes from.
///
/// It follows ``ForwardingHandler``, which names the client, and precedes everything that responds.
final class AccessLogHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let log: AccessLog
  private let now: @Sendable () -> Date
  private var peer: IPAddress?
  /// Whether the rest of a request is yet to come.
  private var isReceiving = false
  /// The requests without a whole response, in their order; ``ByteGate`` bounds their number.
  private var requests = CircularBuffer<(entry: AccessLogEntry, start: NIODeadline)>()

  init(_ log: AccessLog, now: @escaping @Sendable () -> Date) {
    self.log = log
    self.now = now
  }

  func handlerAdded(context: ChannelHandlerContext) {
    peer = IPAddress(context.remoteAddress)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      isReceiving = true
      note(head, from: head.forwardedClient ?? peer, context)
    case .body: break
    case .end: isReceiving = false
    }
    context.fireChannelRead(data)
  }

  /// Logs a request that the decoder can't read; the application answers it with status 400.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if error is HTTPParserError, !isReceiving {
      isReceiving = true
      note(.unreadable, from: peer, context)
    }
    context.fireErrorCaught(error)
  }

  private func note(_ request: HTTPRequest, from client: IPAddress?, _ context: ChannelHandlerContext) {
    requests.append((AccessLogEntry(time: now(), client: client, request: request), context.eventLoop.now))
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if let first = requests.indices.first {
      switch unwrapOutboundIn(data) {
      case .head(let head):
        if head.status.kind != .informational {
          requests[first].entry.status = head.status.code
          if let name = HTTPField.Name.requestID { requests[first].entry.id = head.headerFields[name] }
        }
      case .body(let bytes): requests[first].entry.byteCount += bytes.readableBytes
      case .end: logFirst(at: context.eventLoop.now)
      }
    }
    context.write(data, promise: promise)
  }

  func channelInactive(context: ChannelHandlerContext) {
    while !requests.isEmpty { logFirst(at: context.eventLoop.now) }
    context.fireChannelInactive()
  }

  private func logFirst(at end: NIODeadline) {
    var first = requests.removeFirst()
    first.entry.duration = .nanoseconds((end - first.start).nanoseconds)
    log.note(first.entry)
  }
}

extension HTTPRequest {
  /// Stands for a request that can't be read.
  static let unreadable = HTTPRequest(
    method: Method("-") ?? .get,
    scheme: nil,
    authority: nil,
    path: nil
  )
}
