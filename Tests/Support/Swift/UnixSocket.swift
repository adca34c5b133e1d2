// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// Makes sockets with a name (unix(7)).
enum UnixSocket {
  private struct CannotBind: Error {
    let number: Int32
  }

  #if canImport(Glibc)
  static let stream = CInt(SOCK_STREAM.rawValue)
  static let datagram = CInt(SOCK_DGRAM.rawValue)
  #else
  static let stream = SOCK_STREAM
  static let datagram = SOCK_DGRAM
  #endif

  /// Makes a socket.
  /// - Parameters:
  ///   - name: the path of a file that doesn't exist, or `@` and a name that belongs to no file.
  ///   - kind: ``stream`` or ``datagram``.
  /// - Returns: its descriptor.
  static func bound(to name: String, _ kind: CInt) throws -> CInt {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(name.utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { path in
      path.copyBytes(from: bytes)
      if name.hasPrefix("@") { path[0] = 0 }
    }
    let length = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: address.sun_path) + bytes.count
    let descriptor = socket(AF_UNIX, kind, 0)
    let failed = withUnsafePointer(to: address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(length)) }
    }
    guard failed == 0 else { throw CannotBind(number: errno) }
    return descriptor
  }
}
