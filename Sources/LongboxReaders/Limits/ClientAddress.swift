// Longbox
// SPDX-License-Identifier: MIT

/// The address by which limits count a client: an IPv4 address, or the /64 network of an IPv6 address.
///
/// A household, or an attacker, usually has a whole /64 network.
public enum ClientAddress: Hashable, Sendable, CustomStringConvertible {
  case v4(UInt32)
  /// The first 64 bits.
  case v6(UInt64)
  /// 127.0.0.1 or ::1.
  case loopback
  case unknown

  /// Makes an address.
  /// - Parameter bytes: the 4 bytes of an IPv4 address or the 16 of an IPv6 address.
  public init(_ bytes: [UInt8]) {
    switch bytes.count {
    case 4: self.init(v4: bytes.reduce(0) { $0 << 8 | UInt32($1) })
    case 16: self.init(v6: bytes)
    default: self = .unknown
    }
  }

  private init(v4 address: UInt32) {
    self = address == 0x7f00_0001 ? .loopback : .v4(address)
  }

  private init(v6 bytes: [UInt8]) {
    func number(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
    switch (number(0..<8), number(8..<16)) {
    case (0, 1): self = .loopback
    // An IPv4 address on a socket for both (RFC 4291, section 2.5.5.2).
    case (0, let low) where low >> 32 == 0xffff: self.init(v4: UInt32(truncatingIfNeeded: low))
    case (let high, _): self = .v6(high)
    }
  }

  /// Whether it is this machine: any address of its loopback network.
  public var isLoopback: Bool {
    switch self {
    case .loopback: true
    case .v4(let address): address >> 24 == 127
    case .v6, .unknown: false
    }
  }

  /// The address for the log.
  public var description: String {
    switch self {
    case .v4(let address):
      stride(from: 24, through: 0, by: -8).map { String(address >> UInt32($0) & 0xff) }.joined(separator: ".")
    case .v6(let prefix):
      stride(from: 48, through: 0, by: -16).map { String(prefix >> UInt64($0) & 0xffff, radix: 16) }
        .joined(separator: ":") + "::/64"
    case .loopback: "loopback"
    case .unknown: "unknown"
    }
  }
}
