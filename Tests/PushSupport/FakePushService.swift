// Longbox
// SPDX-License-Identifier: MIT

import NIOCore
import NIOPosix
package import NIOSSL
import Synchronization

/// A push service on a free loopback port, which records requests and answers as a test wants.
///
/// It implements only the necessary HTTP, including connections that are kept alive.
package final class FakePushService: Sendable {
  /// A received message: a request of a sender.
  package struct Message: Sendable {
    /// The path, which identifies the subscription.
    package let path: String
    /// The request line and the header fields, unchanged.
    package let head: String
    /// The encrypted message.
    package let body: [UInt8]

    /// The value of a header field.
    package func field(_ name: String) -> String? {
      for line in head.split(separator: "\r\n") {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { continue }
        return parts[1].drop { $0 == " " }.description
      }
      return nil
    }
  }

  /// How it answers.
  package enum Reply: Sendable {
    case status(Int, _ fields: String = "", body: String = "")
    /// No response.
    case silence
    /// An endless body.
    case endless
    /// A body that arrives slowly, byte by byte.
    case drip
  }

  private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

  /// Scheme, host and port.
  package let origin: String
  package let port: Int
  private let listener: NIOAsyncChannel<Connection, Never>
  private let answer: @Sendable (Message) -> Reply
  private let kept = Mutex<[Message]>([])
  private let connectionCount = Mutex(0)

  /// The messages received so far.
  package var messages: [Message] { kept.withLock { $0 } }
  /// The number of connections so far.
  package var connections: Int { connectionCount.withLock { $0 } }

  /// Runs a service during `body`.
  /// - Parameters:
  ///   - encryption: the TLS context for https.
  ///   - answer: chooses the response to a request.
  ///   - body: uses the service.
  package static func run<Value: Sendable>(
    encryption: NIOSSLContext? = nil,
    answering answer: @escaping @Sendable (Message) -> Reply = { _ in .status(201) },
    _ body: @Sendable (FakePushService) async throws -> Value
  ) async throws -> Value {
    let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .serverChannelOption(.backlog, value: 256)
      .bind(host: "127.0.0.1", port: 0) { channel in
        channel.eventLoop.makeCompletedFuture {
          if let encryption {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: encryption))
          }
          return try Connection(wrappingChannelSynchronously: channel)
        }
      }
    let service = FakePushService(listener, isEncrypted: encryption != nil, answer)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try? await service.serve() }
      defer { group.cancelAll() }
      return try await body(service)
    }
  }

  private init(
    _ listener: NIOAsyncChannel<Connection, Never>,
    isEncrypted: Bool,
    _ answer: @escaping @Sendable (Message) -> Reply
  ) {
    self.listener = listener
    self.answer = answer
    port = listener.channel.localAddress?.port ?? 0
    origin = isEncrypted ? "https://localhost:\(port)" : "http://127.0.0.1:\(port)"
  }

  private func serve() async throws {
    try await withThrowingDiscardingTaskGroup { group in
      try await listener.executeThenClose { connections in
        for try await connection in connections {
          self.connectionCount.withLock { $0 += 1 }
          group.addTask { try? await self.converse(connection) }
        }
      }
    }
  }

  private func converse(_ connection: Connection) async throws {
    try await connection.executeThenClose { inbound, outbound in
      var parts = inbound.makeAsyncIterator()
      var bytes: [UInt8] = []
      while true {
        while true {
          if let message = Self.message(takenFrom: &bytes) {
            kept.withLock { $0.append(message) }
            guard try await reply(answer(message), over: outbound) else { return }
            continue
          }
          break
        }
        guard let part = try await parts.next() else { return }
        bytes += part.readableBytesView
      }
    }
  }

  /// Sends a response; returns whether the connection stays open.
  private func reply(_ answer: Reply, over outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>) async throws
    -> Bool
  {
    switch answer {
    case .status(let status, let fields, let body):
      let lines = fields.isEmpty ? "" : fields + "\r\n"
      let head = "HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count)\r\n\(lines)\r\n"
      try await outbound.write(ByteBuffer(string: head + body))
      return true
    case .silence:
      // This stream has no elements. It ends when the test ends, which cancels this task.
      let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
      for await _ in stream {}
      continuation.finish()
    case .endless:
      try await outbound.write(ByteBuffer(string: "HTTP/1.1 500 X\r\nConnection: close\r\n\r\n"))
      while true {
        try await outbound.write(ByteBuffer(string: String(repeating: "x", count: 4096)))
        await Task.yield()
      }
    case .drip:
      try await outbound.write(ByteBuffer(string: "HTTP/1.1 500 X\r\nConnection: close\r\n\r\n"))
      while true {
        try await outbound.write(ByteBuffer(string: "x"))
        // Real time is the subject: the client's time limit.
        try await Task.sleep(for: .milliseconds(5))
      }
    }
    return false
  }

  private static func message(takenFrom bytes: inout [UInt8]) -> Message? {
    let end = Array("\r\n\r\n".utf8)
    guard let place = bytes.indices.first(where: { bytes[$0...].starts(with: end) }) else { return nil }
    let head = String(decoding: bytes[..<place], as: UTF8.self)
    let path = String(head.split(separator: " ").dropFirst().first ?? "")
    let length = Message(path: path, head: head, body: []).field("Content-Length").flatMap { Int($0) } ?? 0
    let start = place + end.count
    guard bytes.count >= start + length else { return nil }
    let message = Message(path: path, head: head, body: Array(bytes[start..<(start + length)]))
    bytes.removeFirst(start + length)
    return message
  }
}
