// Longbox
// SPDX-License-Identifier: MIT

import Foundation

struct NetworkAddress: Hashable, Sendable {
  /// 4 or 16 bytes in network order.
  let bytes: [UInt8]

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Parses the usual notation (inet_pton); nil if invalid.
  init?(_ text: String) {
    var bytes = [UInt8](repeating: 0, count: text.contains(":") ? 16 : 4)
    guard inet_pton(text.contains(":") ? AF_INET6 : AF_INET, text, &bytes) == 1 else { return nil }
    self.bytes = bytes
  }

  /// Whether the address is on the public internet, by IANA's special-purpose registries (RFC 6890).
  ///
  /// IPv6 is limited to the allocated 2000::/3. Addresses that embed an IPv4 address are rejected, except
  /// NAT64 (RFC 6052), which is public if its IPv4 address is.
  var isPublic: Bool {
    guard bytes.count == 16 else { return !Self.specialIPv4.contains { $0.contains(bytes) } }
    if Self.translated.contains(bytes) { return NetworkAddress(bytes: Array(bytes[12...])).isPublic }
    return Self.global.contains(bytes) && !Self.specialIPv6.contains { $0.contains(bytes) }
  }

  private struct Block {
    let start: [UInt8]
    let bits: Int

    init(_ start: [UInt8], _ bits: Int) {
      self.start = start
      self.bits = bits
    }

    func contains(_ bytes: [UInt8]) -> Bool {
      (0..<bits).allSatisfy { bit in
        let mask: UInt8 = 0x80 >> UInt8(bit % 8)
        return (bit / 8 < start.count ? start[bit / 8] : 0) & mask == bytes[bit / 8] & mask
      }
    }
  }

  private static let specialIPv4 = [
    Block([0], 8),  // this network
    Block([10], 8),  // private
    Block([100, 64], 10),  // behind a provider's NAT
    Block([127], 8),  // loopback
    Block([169, 254], 16),  // link-local; cloud providers' metadata among them
    Block([172, 16], 12),  // private
    Block([192, 0, 0], 24),  // protocol assignments
    Block([192, 0, 2], 24),  // documentation
    Block([192, 88, 99], 24),  // 6to4 relays
    Block([192, 168], 16),  // private
    Block([198, 18], 15),  // benchmarks
    Block([198, 51, 100], 24),  // documentation
    Block([203, 0, 113], 24),  // documentation
    Block([224], 4),  // multicast
    Block([240], 4),  // reserved, and broadcast
  ]

  private static let global = Block([0x20], 3)
  private static let translated = Block([0x00, 0x64, 0xFF, 0x9B], 96)
  private static let specialIPv6 = [
    Block([0x20, 0x01, 0x00], 23),  // protocol assignments, Teredo among them
    Block([0x20, 0x01, 0x0D, 0xB8], 32),  // documentation
    Block([0x20, 0x02], 16),  // 6to4
    Block([0x3F, 0xFF, 0x00], 20),  // documentation
  ]
}

extension NetworkAddress: CustomStringConvertible {
  var description: String {
    var text = [CChar](repeating: 0, count: 64)
    let family = bytes.count == 16 ? AF_INET6 : AF_INET
    guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "\(bytes)" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
