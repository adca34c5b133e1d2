// Longbox
// SPDX-License-Identifier: MIT

import NIOCore

/// Where a request comes from.
struct Peer: Equatable, Sendable {
  /// Whether it is on this machine.
  let isLoopback: Bool
  /// The address, for limits: of IPv6 the first 64 bits, which one household has together.
  let network: String

  /// Takes an address.
  init(_ address: IPAddress) {
    isLoopback = address.isLoopback
    network =
      address.bytes.count == 4
      ? address.description
      : address.bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
  }

  /// Reads a socket's address; nil if there is none.
  init?(_ address: SocketAddress?) {
    guard let address = IPAddress(address) else { return nil }
    self.init(address)
  }
}
