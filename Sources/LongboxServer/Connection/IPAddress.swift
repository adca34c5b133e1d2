// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxReaders
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

extension ClientAddress {
  /// The address of a peer.
  init(_ address: SocketAddress?) {
    self.init(address?.bytes ?? [])
  }
}

extension SocketAddress {
  /// The 4 or 16 bytes of an IP address; nil for others.
  var bytes: [UInt8]? {
    guard let text = ipAddress else { return nil }
    let isLong = text.contains(":")
    var bytes = [UInt8](repeating: 0, count: isLong ? 16 : 4)
    return inet_pton(isLong ? AF_INET6 : AF_INET, text, &bytes) == 1 ? bytes : nil
  }
}

/// A range of IP addresses, as name constraints describe it: the address, then the mask (RFC 5280, section 4.2.1.10).
struct Subnet: Equatable, Sendable {
  /// 8 bytes for IPv4, 32 for IPv6.
  let bytes: [UInt8]

  init(_ address: [UInt8], length: Int) {
    let mask = (0..<address.count).map { index in
      let bits = min(8, max(0, length - 8 * index))
      return UInt8(truncatingIfNeeded: 0xFF00 >> bits)
    }
    bytes = zip(address, mask).map { $0 & $1 } + mask
  }

  /// Takes a stored range; nil if it isn't one.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == 8 || bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// The network of an address: 24 bits of IPv4, 64 of IPv6.
  init(around address: [UInt8]) {
    self.init(address, length: address.count == 4 ? 24 : 64)
  }

  /// Whether an address of 4 or 16 bytes is in it.
  func contains(_ address: [UInt8]) -> Bool {
    guard address.count * 2 == bytes.count else { return false }
    return address.indices.allSatisfy { address[$0] & bytes[address.count + $0] == bytes[$0] }
  }

  /// The addresses of home networks, of Tailscale, and of the machine itself.
  static let home: [Subnet] = [
    Subnet([10, 0, 0, 0], length: 8), Subnet([172, 16, 0, 0], length: 12),
    Subnet([192, 168, 0, 0], length: 16),
    Subnet([169, 254, 0, 0], length: 16), Subnet([100, 64, 0, 0], length: 10),
    Subnet([127, 0, 0, 0], length: 8),
    Subnet([0xFC] + [UInt8](repeating: 0, count: 15), length: 7),
    Subnet([0xFE, 0x80] + [UInt8](repeating: 0, count: 14), length: 10),
    Subnet([UInt8](repeating: 0, count: 15) + [1], length: 128),
  ]
}
