// Longbox
// SPDX-License-Identifier: MIT

package import Foundation

/// A database server that speaks PostgreSQL's protocol, and crashes after it has answered a statement, before it commits.
///
/// PostgreSQL does the same: a server process that is stopped at once first sends what it has
/// (https://www.postgresql.org/docs/15/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY: the commit is at the Sync).
package final class CrashingDatabase: Sendable {
  private let descriptor: Int32

  private struct CannotListen: Error {
    let number: Int32
  }

  /// Listens on a Unix socket.
  /// - Parameter folder: where the socket is, as in the `host` of an address; it is made if necessary.
  package init(in folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let descriptor = try UnixSocket.bound(to: folder.appending(path: ".s.PGSQL.5432").path, UnixSocket.stream)
    guard listen(descriptor, 8) == 0 else { throw CannotListen(number: errno) }
    self.descriptor = descriptor
    Thread.detachNewThread {
      while case let connection = accept(descriptor, nil, nil), connection >= 0 {
        Self.serve(connection)
        close(connection)
      }
    }
  }

  deinit {
    shutdown(descriptor, CInt(SHUT_RDWR))
    close(descriptor)
  }

  /// Answers a client until the end of its first prepared statement.
  private static func serve(_ connection: Int32) {
    let ready = message("Z", Array("I".utf8))
    // The start has no type.
    guard let length = read(4, connection), read(number(length) - 4, connection) != nil else { return }
    send(message("R", [0, 0, 0, 0]) + ready, connection)
    while let head = read(5, connection), read(number(head.dropFirst()) - 4, connection) != nil {
      switch Character(UnicodeScalar(head[0])) {
      case "Q": send(message("C", Array("SET\0".utf8)) + ready, connection)
      case "P": send(message("1", []), connection)
      case "B": send(message("2", []), connection)
      case "D": send(message("n", []), connection)
      case "E": send(message("C", Array("UPDATE 1\0".utf8)), connection)
      case "S": return
      default: break
      }
    }
  }

  private static func message(_ type: Character, _ body: [UInt8]) -> [UInt8] {
    Array(type.utf8) + withUnsafeBytes(of: UInt32(body.count + 4).bigEndian, Array.init) + body
  }

  private static func number(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

  private static func read(_ count: Int, _ connection: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return count == 0 || recv(connection, &bytes, count, CInt(MSG_WAITALL)) == count ? bytes : nil
  }

  private static func send(_ bytes: [UInt8], _ connection: Int32) {
    _ = write(connection, bytes, bytes.count)
  }
}
