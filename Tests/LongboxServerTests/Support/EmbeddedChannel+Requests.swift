// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes

extension EmbeddedChannel {
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
