// Longbox
// SPDX-License-Identifier: MIT

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
