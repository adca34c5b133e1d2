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
