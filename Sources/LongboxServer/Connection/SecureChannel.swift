// Longbox
// SPDX-License-Identifier: MIT

import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// Serves HTTPS and HTTP on one port: a connection's first byte shows which it is.
///
/// What an unencrypted connection may see is not decided here, but by ``AccessGate``.
struct SecureChannel: ServerChildChannel {
  /// A connection whose protocol may still be unknown.
  struct Value: ServerChildChannelValue {
    let channel: any Channel
    let http: EventLoopFuture<HTTPChannel.Value>
  }

  private let http: HTTPChannel
  /// The certificate for a new connection.
  private let context: @Sendable () -> NIOSSLContext
  /// How long a new connection may send nothing.
  private let timeout: TimeAmount

  /// Wraps the channel that speaks HTTP.
  init(_ http: HTTPChannel, timeout: TimeAmount, context: @escaping @Sendable () -> NIOSSLContext) {
    self.http = http
    self.context = context
    self.timeout = timeout
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    channel.eventLoop.makeCompletedFuture {
      // Counted at once, although the client has sent nothing yet.
      guard let connection = try http.admit(channel) else {
        return Value(channel: channel, http: channel.eventLoop.makeSucceededFuture(try http.refuse(channel)))
      }
      let promise = channel.eventLoop.makePromise(of: HTTPChannel.Value.self)
      let detector = ProtocolDetector(timeout: timeout) { [http, context] isTLS in
        channel.eventLoop.makeCompletedFuture {
          do {
            guard let isTLS else { throw ChannelError.inputClosed }
            if isTLS {
              try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context()))
            }
            promise.succeed(try http.addHTTP(to: channel, connection, isSecure: isTLS))
          } catch {
            promise.fail(error)
            throw error
          }
        }
      }
      try channel.pipeline.syncOperations.addHandler(detector)
      return Value(channel: channel, http: promise.futureResult)
    }
  }

  func handle(value: Value, logger: Logger) async {
    // It fails if the client closes before it sends anything: browsers open connections in advance.
    guard let connection = try? await value.http.get() else { return }
    await http.handle(value: connection, logger: logger)
  }
}

/// Holds back what a connection sends until the first byte has shown whether it is TLS.
final class ProtocolDetector: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  /// Adds the handlers for TLS or HTTP; nil if the connection ended before its first byte.
  typealias Detected = @Sendable (_ isTLS: Bool?) -> EventLoopFuture<Void>

  /// The type of a TLS record that begins a handshake (RFC 8446, section 5.1).
  ///
  /// HTTP begins with a letter.
  private static let handshake: UInt8 = 0x16

  private enum State {
    case waiting
    case settingUp
    case done
  }

  /// How long the connection may send nothing.
  private let timeout: TimeAmount
  private let detected: Detected
  private var state = State.waiting
  private var held: [ByteBuffer] = []
  private var deadline: Scheduled<Void>?

  init(timeout: TimeAmount, detected: @escaping Detected) {
    self.timeout = timeout
    self.detected = detected
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
    deadline = context.eventLoop.scheduleTask(in: timeout) {
      let (handler, context) = bound.value
      if handler.state == .waiting { context.close(promise: nil) }
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) { end() }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if state == .done { return context.fireChannelRead(data) }
    let bytes = unwrapInboundIn(data)
    guard let first = bytes.getInteger(at: bytes.readerIndex, as: UInt8.self) else { return }
    held.append(bytes)
    guard state == .waiting else { return }
    state = .settingUp
    deadline?.cancel()
    let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
    detected(first == Self.handshake).whenComplete { result in
      let (handler, context) = bound.value
      handler.finish(result, context)
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    // The client has closed without a byte, or the server is about to stop.
    if state == .waiting { return context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }

  private func finish(_ result: Result<Void, any Error>, _ context: ChannelHandlerContext) {
    guard state == .settingUp else { return }
    state = .done
    guard case .success = result else { return context.close(promise: nil) }
    let bytes = held
    held = []
    for buffer in bytes { context.fireChannelRead(wrapInboundOut(buffer)) }
    context.fireChannelReadComplete()
    context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
  }

  /// Ends the wait, so that the pending set-up of this connection fails.
  private func end() {
    deadline?.cancel()
    held = []
    guard state == .waiting else { return }
    state = .done
    _ = detected(nil)
  }
}
