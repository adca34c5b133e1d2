// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import NIOCore
import NIOPosix

/// What came over a connection until its end.
struct RawAnswer: Sendable {
  var bytes = ByteBuffer()
  /// True where the connection was reset rather than closed.
  var wasReset = false

  var text: String { String(buffer: bytes) }
  var head: String { text.components(separatedBy: "\r\n\r\n").first ?? "" }
  /// All after the first empty line.
  var body: String { text.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n") }
}

/// Sends requests over a bare connection, where a client library would hide what the network carried.
enum RawExchange {
  /// Sends GETs for the paths one after the other, the last one with `connection: close`, and reads up to a limit.
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
