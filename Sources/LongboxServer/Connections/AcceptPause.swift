// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import NIOCore

/// Accepts no connections for a second when the process can open no more files.
///
/// Without it, NIO tries again at once and keeps a processor busy: its `AcceptBackoffHandler` delays only reads that
/// begin after the error, but the one that failed is still pending.
final class AcceptPause: ChannelInboundHandler, Sendable {
  typealias InboundIn = any Channel

  private static let pause = TimeAmount.seconds(1)

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? IOError, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode) {
      let channel = context.channel
      channel.setOption(.autoRead, value: false).whenComplete { _ in }
      context.eventLoop.scheduleTask(in: Self.pause) {
        channel.setOption(.autoRead, value: true).whenComplete { _ in }
      }
    }
    context.fireErrorCaught(error)
  }
}
