// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import NIOCore

/// An IPv4 or IPv6 address, without port.
struct IPAddress: Hashable, Sendable, CustomStringConvertible {
  /// 4 bytes for IPv4, 16 for IPv6.
  let bytes: [UInt8]

  /// Takes 4 or 16 bytes; an IPv4 address in the form of IPv6 becomes IPv4 (RFC 4291, section 2.5.5.2).
  init?(_ bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    let isMapped =
      bytes.count == 16 && bytes[10] == 0xFF && bytes[11] == 0xFF && bytes.prefix(10).allSatisfy { $0 == 0 }
    self.bytes = isMapped ? Array(bytes[12...]) : bytes
  }

  /// Takes the address of a socket; nil if it has none.
  init?(_ address: SocketAddress?) {
    guard let bytes = address?.bytes else { return nil }
    self.init(bytes)
  }

  /// Parses an address such as `192.0.2.1` or `2001:db8::1`; nil for anything else.
  init?(text: some StringProtocol) {
    // The longest address has 45 characters.
    guard text.utf8.count <= 45, let address = try? SocketAddress(ipAddress: String(text), port: 0) else {
      return nil
    }
    self.init(address)
  }

  /// Whether it is the machine itself.
  var isLoopback: Bool {
    bytes.count == 4 ? bytes[0] == 127 : bytes[15] == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
  }

  /// Whether no machine elsewhere reaches it: it is of the machine itself or of a network of its own (RFC 6890), or of many machines.
  var isLocal: Bool {
    guard bytes.count == 4 else {
      return isLoopback || bytes.allSatisfy { $0 == 0 } || bytes[0] & 0xFE == 0xFC || bytes[0] == 0xFF
        || bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    }
    return switch (bytes[0], bytes[1]) {
    case (0, _), (10, _), (127, _), (224..., _): true
    case (100, 64...127), (169, 254), (172, 16...31), (192, 168): true
    default: false
    }
  }

  /// The address as people write it.
  var description: String {
    (try? SocketAddress(packedIPAddress: ByteBuffer(bytes: bytes), port: 0))?.ipAddress ?? "unknown"
  }
}
