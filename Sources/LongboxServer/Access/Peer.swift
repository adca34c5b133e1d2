// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import NIOCore

/// The other end of a connection.
struct Peer: Equatable, Sendable {
  /// Whether it is on this machine.
  let isLoopback: Bool
  /// The address, for limits: of IPv6 the first 64 bits, which one household has together.
  let network: String

  /// Reads a socket's address; nil if there is none.
  init?(_ address: SocketAddress?) {
    switch address {
    case .v4(let address):
      let bytes = withUnsafeBytes(of: address.address.sin_addr.s_addr) { Array($0) }
      self.init(v4: bytes[...])
    case .v6(let address):
      var place = address.address.sin6_addr
      let bytes = withUnsafeBytes(of: &place) { Array($0) }
      // An IPv4 address, as a socket for both protocols shows it (RFC 4291, section 2.5.5.2).
      if bytes.prefix(10).allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
        self.init(v4: bytes[12...])
      } else {
        self.init(
          isLoopback: bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1,
          network: bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
        )
      }
    default: return nil
    }
  }

  private init(isLoopback: Bool, network: String) {
    self.isLoopback = isLoopback
    self.network = network
  }

  private init(v4 bytes: ArraySlice<UInt8>) {
    self.init(isLoopback: bytes.first == 127, network: bytes.map { String($0) }.joined(separator: "."))
  }
}
