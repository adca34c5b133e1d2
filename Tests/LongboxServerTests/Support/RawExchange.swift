// Longbox
// SPDX-License-Identifier: MIT

import NIOCore
import NIOPosix

/// Sends bytes over a bare connection, where a client library would put right what is to be sent wrong.
enum RawExchange {
  /// Sends a text, and then further ones until the other side closes; gives what came until then.
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
        // Until the other side hangs up; the suite's time limit ends it where it does not.
        while (try? await outbound.write(ByteBuffer(string: more))) != nil { await Task.yield() }
      }
      var answer = ByteBuffer()
      do {
        for try await part in inbound { answer.writeImmutableBuffer(part) }
      } catch is IOError {
        // Reset: what came before counts.
      }
      return String(buffer: answer)
    }
  }
}
