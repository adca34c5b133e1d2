// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes

@testable import LongboxServer

extension EmbeddedChannel {
  /// The paths of requests that passed the guard since the last call, if nothing follows it.
  func pathsLetIn() throws -> [String] {
    var paths: [String] = []
    while let part = try readInbound(as: IncomingPart.self) {
      if case .head(let request) = part { paths.append(request.head.path ?? "") }
    }
    return paths
  }

  /// The paths of requests that reached the application since the last call.
  func pathsPassedOn() throws -> [String] {
    var paths: [String] = []
    while let part = try readInbound(as: HTTPRequestPart.self) {
      if case .head(let head) = part { paths.append(head.path ?? "") }
    }
    return paths
  }

  /// Makes the client stop or resume reading, and advances the clock by one second.
  func setWritable(_ isWritable: Bool) {
    self.isWritable = isWritable
    pipeline.fireChannelWritabilityChanged()
    embeddedEventLoop.advanceTime(by: .seconds(1))
  }
}

extension IncomingRequest {
  /// A request that the gate lets in, with what a table has for it.
  convenience init(_ head: HTTPRequest, from client: IPAddress? = nil, in endpoints: EndpointTable? = nil) {
    self.init(head, from: client, match: endpoints?.match(head), bodyLimit: 0)
  }
}
