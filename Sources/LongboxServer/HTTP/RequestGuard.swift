// Longbox
// SPDX-License-Identifier: MIT

import LongboxReaders
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Closes a connection whose request has a foreign `Host`, or an address or a body that is too long.
///
/// It precedes the application, which would otherwise read a whole body before it answers the next request. It also
/// precedes ``CachedResponseHandler``, so all responses pass it. A rejection comes after the responses to earlier
/// requests (RFC 9112, section 9.3.2).
final class RequestGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private enum State {
    /// Requests are passed on.
    case open
    /// A rejection waits for the responses to earlier requests; no further request is passed on.
    case rejecting(HTTPResponse.Status, String)
    /// The connection closes; nothing passes in either direction.
    case closing
  }

  private static let host = HTTPField.Name("Host")

  private let addressLimit: Int
  private let limit: @Sendable (HTTPRequest) -> Int
  private let hosts: HostNames
  private let peer: ClientAddress
  /// The sender of the request, for the log.
  private var client: ClientAddress
  private let floods: FloodLog
  private var bodyLimit = 0
  private var bodyCount = 0
  private var state = State.open
  /// The requests that were passed on and whose response is incomplete.
  private var requestsInProgress = 0
  /// The last `Host` that was allowed; a client hardly ever sends another.
  private var allowedHost: String?

  /// Creates a guard for one connection.
  /// - Parameters:
  ///   - addressLimit: the maximum length of an address, in bytes.
  ///   - hosts: the names of this server.
  ///   - peer: the address of the connection's other end.
  ///   - floods: logs rejections.
  ///   - bodyLimit: the maximum length of a request's body, in bytes.
  init(
    addressLimit: Int,
    hosts: HostNames,
    peer: ClientAddress,
    floods: FloodLog,
    bodyLimit: @escaping @Sendable (HTTPRequest) -> Int
  ) {
    self.addressLimit = addressLimit
    self.hosts = hosts
    self.peer = peer
    client = peer
    self.floods = floods
    limit = bodyLimit
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .open = state else { return }
    switch unwrapInboundIn(data) {
    case .head(let head):
      client = head.forwardedClient.map { ClientAddress($0.bytes) } ?? peer
      guard hasValidHost(head, context) else { return }
      bodyCount = 0
      bodyLimit = limit(head)
      if (head.path?.utf8.count ?? 0) > addressLimit {
        floods.note(.longAddress, "\(client)")
        return reject(.uriTooLong, "The address is too long.\n", context)
      }
      let promised = head.headerFields[.contentLength].flatMap { Int($0) } ?? 0
      if promised > bodyLimit {
        floods.note(.longBody, "\(client)")
        return reject(.contentTooLarge, "At most \(bodyLimit) bytes are taken here.\n", context)
      }
      // Counted before it is passed on, because a response from memory is written within that call.
      requestsInProgress += 1
    case .body(let bytes):
      bodyCount += bytes.readableBytes
      // The application has started to respond, so the only way left is to close the connection.
      if bodyCount > bodyLimit {
        floods.note(.longBody, "\(client)")
        return context.close(promise: nil)
      }
    case .end: break
    }
    context.fireChannelRead(data)
  }

  /// Logs a header that the decoder refuses; the application answers it with status 400.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if case HTTPParserError.headerOverflow = error { floods.note(.longHeader, "\(peer)") }
    context.fireErrorCaught(error)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .closing = state {
      promise?.fail(ChannelError.ioOnClosedChannel)
      return
    }
    context.write(data, promise: promise)
    // An interim response (1xx) has no end.
    guard case .end = unwrapOutboundIn(data) else { return }
    // Malformed bytes get a response, too, although they never counted as a request.
    requestsInProgress = max(0, requestsInProgress - 1)
    if requestsInProgress == 0, case .rejecting(let status, let sentence) = state {
      close(with: status, sentence, context)
    }
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    // The application ends the connection, so the rejection is dropped.
    if case .rejecting = state, mode != .input { state = .closing }
    context.close(mode: mode, promise: promise)
  }

  /// Whether a request has one `Host`, and it is a name of this server; otherwise it is rejected.
  private func hasValidHost(_ head: HTTPRequest, _ context: ChannelHandlerContext) -> Bool {
    // The decoder takes the first `Host` for the authority and leaves others among the header fields.
    guard
      let host = head.authority, !host.isEmpty, !head.headerFields.contains(where: { $0.name == Self.host })
    else {
      floods.note(.invalidHost, "\(client)")
      reject(.badRequest, "A request needs exactly one Host.\n", context)
      return false
    }
    guard host != allowedHost else { return true }
    guard let field = HostField(host), hosts.allows(field) else {
      floods.note(.foreignHost, host)
      let sentence = """
        This server has another name. If this name should lead to it, the operator can add it to the setting \
        LONGBOX_HOST_NAMES (or --host-name).

        """
      reject(.misdirectedRequest, sentence, context)
      return false
    }
    allowedHost = host
    return true
  }

  /// Rejects the incoming request as soon as all earlier ones are answered.
  private func reject(_ status: HTTPResponse.Status, _ sentence: String, _ context: ChannelHandlerContext) {
    guard requestsInProgress == 0 else {
      state = .rejecting(status, sentence)
      return
    }
    close(with: status, sentence, context)
  }

  /// Writes the last response, and closes the connection when it is sent.
  private func close(
    with status: HTTPResponse.Status,
    _ sentence: String,
    _ context: ChannelHandlerContext
  ) {
    state = .closing
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
