// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOHTTPTypes
import NIOSSL

/// Sets each request's scheme by its connection, since the HTTP decoder always says `http`.
final class ConnectionMarker: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart

  private var isSecure = false

  func handlerAdded(context: ChannelHandlerContext) {
    isSecure = (try? context.pipeline.syncOperations.handler(type: NIOSSLServerHandler.self)) != nil
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
    head.scheme = isSecure ? "https" : "http"
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }
}
