// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import NIOCore
import NIOPosix

/// Everything received over a connection until it closed.
struct RawAnswer: Sendable {
  var bytes = ByteBuffer()
  /// Whether the connection was reset instead of closed.
  var wasReset = false

  var text: String { String(buffer: bytes) }
  var head: String { text.components(separatedBy: "\r\n\r\n").first ?? "" }
  /// Everything after the first empty line.
  var body: String { text.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n") }
}

/// Sends requests over a plain connection, because a client library would hide details.
enum RawExchange {
  /// Sends a GET for each path in turn, the last with `connection: close`, and reads up to a limit.
  static func get(_ paths: String..., port: Int, limit: Int = .max) async throws -> RawAnswer {
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    return try await channel.executeThenClose { inbound, outbound in
      for (index, path) in paths.enumerated() {
        let connection = index == paths.count - 1 ? "close" : "keep-alive"
        let request = "GET \(path) HTTP/1.1\r\nhost: localhost\r\nconnection: \(connection)\r\n\r\n"
        try await outbound.write(ByteBuffer(string: request))
      }
      var answer = RawAnswer()
      do {
        for try await part in inbound {
          answer.bytes.writeImmutableBuffer(part)
          if answer.bytes.readableBytes >= limit { break }
        }
      } catch {
        answer.wasReset = true
      }
      return answer
    }
  }
}
