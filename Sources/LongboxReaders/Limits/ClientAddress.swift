// Longbox
// SPDX-License-Identifier: MIT

/// The network address of a client, as far as limits tell clients apart: an IPv4 address, or an IPv6 network of 64
/// bits, since that is what one household has.
public struct ClientAddress: Hashable, Sendable {
  private let bytes: [UInt8]

  /// Makes an address.
  /// - Parameter bytes: 4 bytes of an IPv4 address or 16 bytes of an IPv6 address.
  public init(_ bytes: [UInt8]) {
    let isMapped = bytes.count == 16 && bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10...11] == [0xFF, 0xFF]
    self.bytes = isMapped ? Array(bytes[12...]) : Array(bytes.prefix(bytes.count == 16 ? 8 : 4))
  }

  /// Clients whose address is unknown; they share their limits.
  public static let unknown = ClientAddress([])
}
