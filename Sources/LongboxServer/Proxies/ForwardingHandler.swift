// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Gives requests that proxies passed on the scheme, the host and the client that they had; see ``Forwarding``.
///
/// It precedes everything that asks for one of these. Connections still count for the address of their other end.
final class ForwardingHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart

  private let forwarding: Forwarding
  private let floods: FloodLog
  private var peer: IPAddress?

  init(_ forwarding: Forwarding, floods: FloodLog) {
    self.forwarding = forwarding
    self.floods = floods
  }

  func handlerAdded(context: ChannelHandlerContext) {
    peer = IPAddress(context.remoteAddress)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
    if let problem = forwarding.apply(to: &head, from: peer) {
      let prefix = problem == .unknownPrefix ? head.removedPrefix : nil
      floods.note(problem, prefix ?? peer?.description ?? "unknown")
    }
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }
}
