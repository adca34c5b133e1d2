// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Closes a connection whose request has an address or a body that is too long.
///
/// It precedes the application, which would otherwise read a whole body before it answers the next request.
final class RequestGuard: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundOut = HTTPResponsePart

  private let addressLimit: Int
  private let limit: @Sendable (HTTPRequest) -> Int
  private var bodyLimit = 0
  private var bodyCount = 0
  private var isRejected = false

  /// Creates a guard for one connection.
  /// - Parameters:
  ///   - addressLimit: the maximum length of an address, in bytes.
  ///   - bodyLimit: the maximum length of a request's body, in bytes.
  init(addressLimit: Int, bodyLimit: @escaping @Sendable (HTTPRequest) -> Int) {
    self.addressLimit = addressLimit
    limit = bodyLimit
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isRejected else { return }
    switch unwrapInboundIn(data) {
    case .head(let head):
      bodyCount = 0
      bodyLimit = limit(head)
      if (head.path?.utf8.count ?? 0) > addressLimit {
        return reject(.uriTooLong, "The address is too long.\n", context)
      }
      let promised = head.headerFields[.contentLength].flatMap { Int($0) } ?? 0
      if promised > bodyLimit {
        return reject(.contentTooLarge, "At most \(bodyLimit) bytes are taken here.\n", context)
      }
    case .body(let bytes):
      bodyCount += bytes.readableBytes
      // The application has started to respond, so the only way left is to close the connection.
      if bodyCount > bodyLimit { return context.close(promise: nil) }
    case .end: break
    }
    context.fireChannelRead(data)
  }

  private func reject(_ status: HTTPResponse.Status, _ sentence: String, _ context: ChannelHandlerContext) {
    isRejected = true
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
