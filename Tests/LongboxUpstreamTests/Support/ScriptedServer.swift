// Longbox
// SPDX-License-Identifier: MIT

import LongboxUpstream
import NIOCore
import NIOPosix
import Synchronization

/// A real server on a free loopback port, which writes any bytes that a test wants.
///
/// It hardly knows HTTP: it reads up to the empty line, runs its steps and closes. So it can misbehave.
final class ScriptedServer: Sendable {
  enum Step: Sendable {
    case text(String)
    case bytes([UInt8])
    /// Writes text repeatedly until the client closes.
    case endless(String)
    /// Writes one byte of an endless body now and then, so that no read times out.
    case drip
    /// Writes nothing until the client closes.
    case silence
  }

  struct Request: Sendable {
    /// The path and query, byte for byte.
    let target: String
    /// The whole request head.
    let head: String
  }

  typealias Script = @Sendable (Request) -> [Step]
  private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

  /// The server's address, without a trailing slash.
  let base: String
  private let listener: NIOAsyncChannel<Connection, Never>
  private let script: Script
  private let seen = Mutex<[Request]>([])

  /// The requests so far.
  var requests: [Request] { seen.withLock { $0 } }

  /// Runs a server for the duration of the body.
  static func run<Value: Sendable>(
    _ script: @escaping Script,
    _ body: @Sendable (ScriptedServer) async throws -> Value
  ) async throws -> Value {
    let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .bind(host: "127.0.0.1", port: 0) { channel in
        channel.eventLoop.makeCompletedFuture { try Connection(wrappingChannelSynchronously: channel) }
      }
    let server = ScriptedServer(listener, script)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try? await server.serve() }
      defer { group.cancelAll() }
      return try await body(server)
    }
  }

  private init(_ listener: NIOAsyncChannel<Connection, Never>, _ script: @escaping Script) {
    self.listener = listener
    self.script = script
    base = "http://127.0.0.1:\(listener.channel.localAddress?.port ?? 0)"
  }

  private func serve() async throws {
    try await withThrowingDiscardingTaskGroup { group in
      try await listener.executeThenClose { connections in
        for try await connection in connections {
          group.addTask { try? await self.converse(connection) }
        }
      }
    }
  }

  private func converse(_ connection: Connection) async throws {
    try await connection.executeThenClose { inbound, outbound in
      var parts = inbound.makeAsyncIterator()
      var head = ""
      while !head.contains("\r\n\r\n") {
        guard let part = try await parts.next() else { return }
        head += String(buffer: part)
      }
      let target = String(head.split(separator: " ").dropFirst().first ?? "")
      let request = Request(target: target, head: head)
      seen.withLock { $0.append(request) }
      for step in script(request) {
        switch step {
        case .text(let text): try await outbound.write(ByteBuffer(string: text))
        case .bytes(let bytes): try await outbound.write(ByteBuffer(bytes: bytes))
        case .endless(let text):
          while true {
            try await outbound.write(ByteBuffer(string: text))
            await Task.yield()
          }
        case .drip:
          while true {
            try await outbound.write(ByteBuffer(string: " "))
            // Real time is the subject: the client's time limit.
            try await Task.sleep(for: .milliseconds(5))
          }
        case .silence: while try await parts.next() != nil {}
        }
      }
    }
  }
}

extension [ScriptedServer.Step] {
  /// A well-formed reply.
  static func reply(_ status: Int, _ headers: String = "", body: [UInt8] = []) -> [ScriptedServer.Step] {
    let fields = headers.isEmpty ? "" : headers + "\r\n"
    let head = "HTTP/1.1 \(status) X\r\nConnection: close\r\nContent-Length: \(body.count)\r\n\(fields)\r\n"
    return [.text(head), .bytes(body)]
  }

  static func redirect(to location: String, status: Int = 302) -> [ScriptedServer.Step] {
    .reply(status, "Location: \(location)")
  }
}
