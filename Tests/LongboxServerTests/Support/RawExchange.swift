// Longbox
// SPDX-License-Identifier: MIT

import NIOCore
import NIOPosix

/// Sends bytes over a plain connection, because a client library would correct malformed requests.
enum RawExchange {
  /// Sends a text, then repeats another until the server closes; returns everything received.
  static func send(_ text: String, thenRepeating more: String? = nil, port: Int) async throws -> String {
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
      var answer = ByteBuffer()
      do {
        for try await part in inbound { answer.writeImmutableBuffer(part) }
      } catch is IOError {
        // After a reset, what was received before counts.
      }
      return String(buffer: answer)
    }
  }
}
