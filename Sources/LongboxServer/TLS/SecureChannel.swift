// Longbox
// SPDX-License-Identifier: MIT

import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// Serves HTTPS and HTTP on one port: a connection's first byte tells which it is.
///
/// What an unencrypted connection may see is not decided here, but by ``AccessGate``.
struct SecureChannel<Inner: ServerChildChannel>: ServerChildChannel {
  /// A connection that may not have said yet what it is.
  struct Value: ServerChildChannelValue {
    let channel: any Channel
    let inner: EventLoopFuture<Inner.Value>
  }

  let inner: Inner
  /// The certificate for a new connection.
  let context: @Sendable () -> NIOSSLContext
  /// How long a connection may say nothing.
  let patience: TimeAmount

  /// Wraps the channel that speaks HTTP.
  init(_ inner: Inner, patience: TimeAmount = .seconds(10), context: @escaping @Sendable () -> NIOSSLContext)
  {
    self.inner = inner
    self.context = context
    self.patience = patience
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    channel.eventLoop.makeCompletedFuture {
      let promise = channel.eventLoop.makePromise(of: Inner.Value.self)
      let detector = ProtocolDetector(patience: patience) { [inner, context] isTLS in
        guard let isTLS else {
          promise.fail(ChannelError.inputClosed)
          return channel.eventLoop.makeSucceededVoidFuture()
        }
        if isTLS {
          do {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context()))
          } catch {
            promise.fail(error)
            return channel.eventLoop.makeFailedFuture(error)
          }
        }
        let value = inner.setup(channel: channel, logger: logger)
        value.cascade(to: promise)
        return value.map { _ in }
      }
      try channel.pipeline.syncOperations.addHandler(detector)
      return Value(channel: channel, inner: promise.futureResult)
    }
  }

  func handle(value: Value, logger: Logger) async {
    // It fails for connections that end before they say anything, as browsers make them in advance.
    guard let inner = try? await value.inner.get() else { return }
    await self.inner.handle(value: inner, logger: logger)
  }
}
