// Longbox
// SPDX-License-Identifier: MIT

import Foundation
package import NIOCore
import NIOPosix

/// Everything received over a connection until it closed.
package struct RawResponse: Sendable {
  package var bytes = ByteBuffer()
  /// Whether the connection was reset instead of closed.
  package var wasReset = false

  package var text: String { String(buffer: bytes) }
  package var head: String { text.components(separatedBy: "\r\n\r\n").first ?? "" }
  /// Everything after the first empty line.
  package var body: String {
    text.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n")
  }
}

/// Sends bytes over a plain connection, because a client library would correct requests and hide details.
package enum RawExchange {
  /// Sends a text, then repeats another until the server closes; reads up to a limit.
  package static func send(
    _ text: String,
    thenRepeating more: String? = nil,
    port: Int,
    limit: Int = .max
  ) async throws -> RawResponse {
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "localhost", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    return try await channel.executeThenClose { inbound, outbound in
      try await outbound.write(ByteBuffer(string: text))
      if let more {
        // Until the server disconnects; otherwise the suite's time limit ends the test.
        while (try? await outbound.write(ByteBuffer(string: more))) != nil { await Task.yield() }
      }
      var response = RawResponse()
      do {
        for try await part in inbound {
          response.bytes.writeImmutableBuffer(part)
          if response.bytes.readableBytes >= limit { break }
        }
      } catch is IOError {
        // What was received before counts.
        response.wasReset = true
      }
      return response
    }
  }

  /// Sends a GET for each path in turn, the last with `connection: close`, and reads up to a limit.
  package static func get(_ paths: String..., port: Int, limit: Int = .max) async throws -> RawResponse {
    let requests = paths.enumerated().map { index, path in
      let connection = index == paths.count - 1 ? "close" : "keep-alive"
      return "GET \(path) HTTP/1.1\r\nhost: localhost\r\nconnection: \(connection)\r\n\r\n"
    }
    return try await send(requests.joined(), port: port, limit: limit)
  }
}
