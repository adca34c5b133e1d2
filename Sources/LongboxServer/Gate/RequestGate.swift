// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import LongboxCore
import LongboxPages
import LongboxReaders
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// A request with all that was found out about it before its endpoint: who sends it, what the table has for it, and whether it is
/// rejected.
///
/// The later handlers of its connection use it: log, metrics, limits, and the response cache.
final class IncomingRequest: Sendable {
  /// The rejection of a request, after which the connection ends.
  struct Rejection: Sendable {
    let incident: Incident
    /// What the log says of it: the client, or what was wrong.
    let detail: String
    let status: HTTPResponse.Status
    let sentence: String
  }

  /// The request, with the path, scheme and host that its client used.
  let head: HTTPRequest
  /// The client, as a trusted proxy names it, or else the other end of the connection; nil if that is unknown.
  let client: IPAddress?
  /// What the table has for it; nil if there is no endpoint at its path.
  let match: EndpointTable.Match?
  /// The maximum length of its body, in bytes.
  let bodyLimit: Int
  /// Why it gets no answer; nil if it gets one.
  let rejection: Rejection?

  init(
    _ head: HTTPRequest,
    from client: IPAddress?,
    match: EndpointTable.Match? = nil,
    bodyLimit: Int,
    rejection: Rejection? = nil
  ) {
    self.head = head
    self.client = client
    self.match = match
    self.bodyLimit = bodyLimit
    self.rejection = rejection
  }

  /// The client as the limits count it.
  var address: ClientAddress { ClientAddress(client?.bytes ?? []) }
}

/// A part of a request behind the gate.
enum IncomingPart: Sendable {
  case head(IncomingRequest)
  case body(ByteBuffer)
  case end(HTTPFields?)
}

/// What each request passes before anything else looks at it.
///
/// Proxies' fields come first, since they name the host and the client; then the base path, without which no address is known;
/// then the table of endpoints, and what must be right in every request.
struct RequestGate: Sendable {
  private typealias Rejection = IncomingRequest.Rejection

  let forwarding: Forwarding
  let basePath: BasePath
  /// The names by which clients may address this server.
  let hosts: HostNames
  /// The maximum length of an address, in bytes.
  let addressLimit: Int
  let endpoints: EndpointTable

  private static let host = HTTPField.Name("Host")

  /// Receives a request.
  /// - Parameters:
  ///   - head: the request.
  ///   - peer: the other end of the connection; nil if unknown.
  ///   - allowedHost: the last `Host` of the connection that was allowed; a client hardly ever sends another.
  func receive(_ head: HTTPRequest, from peer: IPAddress?, allowedHost: inout String?) -> IncomingRequest {
    var head = head
    if let problem = forwarding.apply(to: &head, from: peer) {
      let prefix = problem == .unknownPrefix ? head.removedPrefix : nil
      endpoints.incidents.note(problem, prefix ?? peer?.description ?? "unknown")
    }
    if basePath.isEmpty { answerUnstyledQuery(&head) } else { basePath.remove(from: &head) }
    let client = head.forwardedClient ?? peer
    let match = endpoints.match(head)
    let bodyLimit = match?.bodyLimit ?? endpoints.bodyLimit
    return IncomingRequest(
      head,
      from: client,
      match: match,
      bodyLimit: bodyLimit,
      rejection: invalidHost(of: head, from: client, &allowedHost)
        ?? excess(of: head, from: client, bodyLimit: bodyLimit)
    )
  }

  private static let unstyledQuery = PageContext.unstyledQuery.description
  private static let icon = Link.asset("icon.svg", version: .empty).address.description

  /// Answers the picture in a page without its style sheet, and notes what a proxy has removed from the page's address.
  private func answerUnstyledQuery(_ head: inout HTTPRequest) {
    guard let path = head.path, path.utf8.last == Self.unstyledQuery.utf8.last,
      path.hasSuffix(Self.unstyledQuery)
    else { return }
    let removed = Self.removedPath(of: head, path.dropLast(Self.unstyledQuery.count))
    if let removed, head.namedBasePath == nil { endpoints.incidents.note(.unnamedPrefix, removed.text) }
    head.path = Self.icon
  }

  /// What the address of a request's page has before the path that arrived here; nil if nothing.
  private static func removedPath(of head: HTTPRequest, _ path: Substring) -> BasePath? {
    guard let page = head.headerFields[.referer], let scheme = page.firstRange(of: "://") else { return nil }
    let whole = page[scheme.upperBound...].drop { $0 != "/" }.prefix { $0 != "?" && $0 != "#" }
    guard whole.hasSuffix(path), let removed = BasePath(String(whole.dropLast(path.count))) else {
      return nil
    }
    return removed.isEmpty ? nil : removed
  }

  /// The rejection of a request that doesn't have exactly one `Host`, or one that isn't a name of this server.
  private func invalidHost(of head: HTTPRequest, from client: IPAddress?, _ allowedHost: inout String?)
    -> Rejection?
  {
    // The decoder takes the first `Host` for the authority and leaves others among the header fields.
    guard
      let host = head.authority, !host.isEmpty, !head.headerFields.contains(where: { $0.name == Self.host })
    else {
      return Rejection(
        incident: .invalidHost,
        detail: Self.text(client),
        status: .badRequest,
        sentence: "A request needs exactly one Host.\n"
      )
    }
    guard host != allowedHost else { return nil }
    let field = HostField(host)
    guard field.map({ hosts.allows($0) }) == true else {
      return Rejection(
        incident: .foreignHost,
        detail: field?.name ?? host,
        status: .misdirectedRequest,
        sentence: HostNames.rejection(of: field)
      )
    }
    allowedHost = host
    return nil
  }

  /// The rejection of a request whose address is too long, or whose body is going to be.
  private func excess(of head: HTTPRequest, from client: IPAddress?, bodyLimit: Int)
    -> Rejection?
  {
    if (head.path?.utf8.count ?? 0) > addressLimit {
      return Rejection(
        incident: .longAddress,
        detail: Self.text(client),
        status: .uriTooLong,
        sentence: "The address is too long.\n"
      )
    }
    let promised = head.headerFields[.contentLength].flatMap { Int($0) } ?? 0
    guard promised > bodyLimit else { return nil }
    return Rejection(
      incident: .longBody,
      detail: Self.text(client),
      status: .contentTooLarge,
      sentence: "The body is too long: the limit is \(bodyLimit) bytes.\n"
    )
  }

  /// A client as the limits count it.
  private static func text(_ client: IPAddress?) -> String { "\(ClientAddress(client?.bytes ?? []))" }
}

/// Lets the requests of a connection through the ``RequestGate``, and puts the base path before the redirects and the cookies of
/// responses.
///
/// It precedes everything that asks for a path, a scheme, a host or a client. Connections still count for the address of
/// their other end.
final class RequestGateHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = IncomingPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let gate: RequestGate
  private var peer: IPAddress?
  private var allowedHost: String?

  init(_ gate: RequestGate) {
    self.gate = gate
  }

  func handlerAdded(context: ChannelHandlerContext) {
    peer = IPAddress(context.remoteAddress)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part: IncomingPart =
      switch unwrapInboundIn(data) {
      case .head(let head): .head(gate.receive(head, from: peer, allowedHost: &allowedHost))
      case .body(let bytes): .body(bytes)
      case .end(let fields): .end(fields)
      }
    context.fireChannelRead(wrapInboundOut(part))
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard !gate.basePath.isEmpty, case .head(var head) = unwrapOutboundIn(data) else {
      return context.write(data, promise: promise)
    }
    gate.basePath.add(to: &head)
    context.write(wrapOutboundOut(.head(head)), promise: promise)
  }
}

/// Ends a connection with the rejection of a request, or when a body is longer than it may be.
///
/// It precedes the application, which would read the whole body of a rejected request before the next request.
final class RequestGuard: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = IncomingPart
  typealias InboundOut = IncomingPart

  private let incidents: IncidentLog
  private let earlierRequests: () -> Int
  private var request: IncomingRequest?
  private var bodyCount = 0
  private var isRejected = false

  /// Creates a guard for one connection.
  /// - Parameters:
  ///   - incidents: logs rejections.
  ///   - earlierRequests: the number of requests before the incoming one whose response is incomplete.
  init(incidents: IncidentLog, earlierRequests: @escaping () -> Int) {
    self.incidents = incidents
    self.earlierRequests = earlierRequests
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isRejected else { return }
    switch unwrapInboundIn(data) {
    case .head(let request):
      if let rejection = request.rejection { return reject(rejection, context) }
      self.request = request
      bodyCount = 0
    case .body(let bytes):
      bodyCount += bytes.readableBytes
      // The application may have started to respond, so the only way left is to close the connection.
      if let request, bodyCount > request.bodyLimit {
        incidents.note(.longBody, "\(request.address)")
        return context.close(promise: nil)
      }
    case .end: break
    }
    context.fireChannelRead(data)
  }

  /// Logs a header that the decoder refuses; the application answers it with status 400.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if case HTTPParserError.headerOverflow = error {
      incidents.note(.longHeader, "\(ClientAddress(context.remoteAddress))")
    }
    context.fireErrorCaught(error)
  }

  /// Lets the connection end with a rejection of the incoming request, after the responses to earlier ones.
  private func reject(_ rejection: IncomingRequest.Rejection, _ context: ChannelHandlerContext) {
    isRejected = true
    incidents.note(rejection.incident, rejection.detail)
    let handler = RejectionHandler(rejection.status, rejection.sentence, after: earlierRequests())
    do {
      try context.pipeline.syncOperations.addHandler(handler, position: .before(self))
    } catch {
      context.close(promise: nil)
    }
  }
}

/// Ends a connection with the rejection of a request, after the responses to earlier ones (RFC 9112, section 9.3.2).
///
/// Only connections with a rejection have it, so that it costs the others nothing.
final class RejectionHandler: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let status: HTTPResponse.Status
  private let sentence: String
  /// The number of responses that come first.
  private var remaining: Int
  /// Whether the rejection was written, or the application has closed the connection; nothing is written any more.
  private var isOver = false

  /// Creates a handler for one connection.
  /// - Parameters:
  ///   - status: the status of the rejection.
  ///   - sentence: its text.
  ///   - remaining: the number of requests before it whose response is incomplete.
  init(_ status: HTTPResponse.Status, _ sentence: String, after remaining: Int) {
    self.status = status
    self.sentence = sentence
    self.remaining = remaining
  }

  func handlerAdded(context: ChannelHandlerContext) {
    if remaining <= 0 { reject(context) }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if isOver {
      promise?.fail(ChannelError.ioOnClosedChannel)
      return
    }
    context.write(data, promise: promise)
    // An interim response (1xx) has no end.
    guard case .end = unwrapOutboundIn(data) else { return }
    remaining -= 1
    if remaining <= 0 { reject(context) }
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    if mode != .input { isOver = true }
    context.close(mode: mode, promise: promise)
  }

  /// Writes the rejection, and closes the connection when it is sent.
  private func reject(_ context: ChannelHandlerContext) {
    isOver = true
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
