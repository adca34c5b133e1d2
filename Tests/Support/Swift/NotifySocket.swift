// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// A service manager's end of sd_notify(3): a Unix socket that receives datagrams.
package final class NotifySocket: Sendable {
  /// What `NOTIFY_SOCKET` is set to.
  package let name: String
  private let descriptor: Int32
  private let messages: AsyncStream<String>

  /// Makes a socket.
  /// - Parameter name: the path of a file that doesn't exist, or `@` and a name that belongs to no file.
  package init(_ name: String) throws {
    self.name = name
    let descriptor = try UnixSocket.bound(to: name, UnixSocket.datagram)
    self.descriptor = descriptor
    let (messages, arrivals) = AsyncStream<String>.makeStream()
    self.messages = messages
    Thread.detachNewThread {
      var bytes = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { break }
        arrivals.yield(String(decoding: bytes[..<count], as: UTF8.self))
      }
      arrivals.finish()
      close(descriptor)
    }
  }

  deinit { shutdown(descriptor, CInt(SHUT_RDWR)) }

  /// Waits for the next message; nil if no more come.
  package func next() async -> String? {
    for await message in messages { return message }
    return nil
  }
}
