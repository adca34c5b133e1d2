// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Notes which requests of a connection are in progress, and ends it after the last one when the server stops.
final class RequestTracker: ChannelDuplexHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let monitor: ConnectionMonitor

  /// Creates a tracker for one connection.
  init(_ monitor: ConnectionMonitor) {
    self.monitor = monitor
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head:
      let now = context.eventLoop.now
      monitor.deadlines.headArrived(at: now)
      monitor.registered.noteBusy(at: now)
    case .body(let bytes): monitor.deadlines.bodyArrived(bytes.readableBytes, at: context.eventLoop.now)
    case .end: monitor.deadlines.requestEnded()
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
    let now = context.eventLoop.now
    monitor.deadlines.responseEnded(at: now)
    if monitor.deadlines.requestsInProgress == 0 { monitor.registered.noteIdle(since: now) }
    monitor.resumeFromQueue()
    guard monitor.isStopping, monitor.deadlines.requestsInProgress == 0 else {
      return context.write(data, promise: promise)
    }
    let sent = promise ?? context.eventLoop.makePromise()
    let channel = context.channel
    sent.futureResult.whenComplete { _ in channel.close(promise: nil) }
    context.write(data, promise: sent)
  }
}
