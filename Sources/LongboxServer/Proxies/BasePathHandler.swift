// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import LongboxCore
import LongboxPages
import NIOCore
import NIOHTTPTypes

/// Removes the base path from requests, and puts it before the redirects and the cookies of responses.
///
/// It precedes everything that looks at a path. Proxies pass the base path on, or ``Forwarding`` brings it back; a request
/// without it gets what ``BasePathController`` says. Only the health check answers at both paths.
final class BasePathHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let basePath: BasePath

  init(_ basePath: BasePath) {
    self.basePath = basePath
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
    basePath.remove(from: &head)
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .head(var head) = unwrapOutboundIn(data) else {
      return context.write(data, promise: promise)
    }
    basePath.add(to: &head)
    context.write(wrapOutboundOut(.head(head)), promise: promise)
  }
}

extension BasePath {
  private static let health: Set = ["/healthz", "/ready"]
  private static let anyPath = "; Path=/;"

  /// Gives a request the path that it has without this one.
  func remove(from head: inout HTTPRequest) {
    let path = head.path ?? "/"
    if let rest = rest(of: path) {
      head.path = rest
    } else if !Self.health.contains(path) {
      head.path =
        path.prefix { $0 != "?" } == text ? BasePathController.slashless : BasePathController.outside
      // The answer is the same for every method.
      if head.method != .head { head.method = .get }
    }
  }

  /// Puts this path before a redirect's path and the cookies' paths.
  func add(to head: inout HTTPResponse) {
    if let target = head.headerFields[.location], Link.isPath(Text(string: target)) {
      head.headerFields[.location] = text + target
    }
    let cookies = head.headerFields[values: .setCookie]
    guard !cookies.isEmpty else { return }
    head.headerFields[values: .setCookie] = cookies.map { cookie in
      // Browsers accept a cookie with this prefix only if its path is /.
      cookie.hasPrefix("__Host-") ? cookie : cookie.replacing(Self.anyPath, with: "; Path=\(text);")
    }
  }
}
