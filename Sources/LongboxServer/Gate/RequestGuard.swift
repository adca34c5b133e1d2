// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import LongboxReaders
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Closes a connection whose request has a foreign `Host`, or an address or a body that is too long.
///
/// It precedes the application, which would read the whole body of a rejected request before the next request.
final class RequestGuard: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart

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
  private let earlierRequests: () -> Int
  private var isRejected = false
  /// The last `Host` that was allowed; a client hardly ever sends another.
  private var allowedHost: String?

  /// Creates a guard for one connection.
  /// - Parameters:
  ///   - addressLimit: the maximum length of an address, in bytes.
  ///   - hosts: the names of this server.
  ///   - peer: the address of the connection's other end.
  ///   - floods: logs rejections.
  ///   - earlierRequests: the number of requests before the incoming one whose response is incomplete.
  ///   - bodyLimit: the maximum length of a request's body, in bytes.
  init(
    addressLimit: Int,
    hosts: HostNames,
    peer: ClientAddress,
    floods: FloodLog,
    earlierRequests: @escaping () -> Int,
    bodyLimit: @escaping @Sendable (HTTPRequest) -> Int
  ) {
    self.addressLimit = addressLimit
    self.hosts = hosts
    self.peer = peer
    client = peer
    self.floods = floods
    self.earlierRequests = earlierRequests
    limit = bodyLimit
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isRejected else { return }
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
        return reject(.contentTooLarge, "The body is too long: the limit is \(bodyLimit) bytes.\n", context)
      }
    case .body(let bytes):
      bodyCount += bytes.readableBytes
      // The application may have started to respond, so the only way left is to close the connection.
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
    let field = HostField(host)
    guard field.map({ hosts.allows($0) }) == true else {
      floods.note(.foreignHost, field?.name ?? host)
      reject(.misdirectedRequest, HostNames.rejection(of: field), context)
      return false
    }
    allowedHost = host
    return true
  }

  /// Lets the connection end with a rejection of the incoming request, after the responses to earlier ones.
  private func reject(_ status: HTTPResponse.Status, _ sentence: String, _ context: ChannelHandlerContext) {
    isRejected = true
    let rejection = RejectionHandler(status, sentence, after: earlierRequests())
    do {
      try context.pipeline.syncOperations.addHandler(rejection, position: .before(self))
    } catch {
      context.close(promise: nil)
    }
  }
}
