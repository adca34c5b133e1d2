// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// Resolves host names.
///
/// The sender resolves a name once, checks the addresses and connects to those. A name that changes
/// afterwards (DNS rebinding) has no effect.
public struct HostResolver: Sendable {
  /// All addresses of a name; empty if it is unknown or no name server answers in time.
  let addresses: @Sendable (String) async -> [NetworkAddress]

  init(_ addresses: @escaping @Sendable (String) async -> [NetworkAddress]) {
    self.addresses = addresses
  }

  /// The system's resolver, getaddrinfo(3).
  /// - Parameters:
  ///   - timeLimit: for one name. After five seconds the system repeats the query or asks a second server.
  ///   - lookUps: the maximum number at a time; further ones find nothing.
  public static func system(timeLimit: Duration = .seconds(12), lookUps: Int = 32) -> HostResolver {
    let running = LookUpLimit(limit: lookUps)
    return HostResolver { host in
      guard running.begin() else { return [] }
      let (answers, answer) = AsyncStream.makeStream(of: [NetworkAddress].self)
      // The call blocks and can't be cancelled, so it has its own thread, abandoned after the time limit.
      Thread.detachNewThread {
        answer.yield(lookUp(host))
        answer.finish()
        running.end()
      }
      let clock = Task {
        try? await Task.sleep(for: timeLimit)
        answer.finish()
      }
      defer { clock.cancel() }
      for await addresses in answers { return addresses }
      return []
    }
  }

  /// Counts the look-ups that run, up to a limit.
  private final class LookUpLimit: Sendable {
    private let limit: Int
    private let count = Mutex(0)

    init(limit: Int) {
      self.limit = limit
    }

    func begin() -> Bool {
      count.withLock { count in
        guard count < limit else { return false }
        count += 1
        return true
      }
    }

    func end() {
      count.withLock { $0 -= 1 }
    }
  }

  private static func lookUp(_ host: String) -> [NetworkAddress] {
    var first: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, nil, &first) == 0 else { return [] }
    defer { freeaddrinfo(first) }
    var found: [NetworkAddress] = []
    var next = first
    while let entry = next?.pointee {
      // getaddrinfo gives one entry per socket type.
      if let address = address(in: entry), !found.contains(address) { found.append(address) }
      next = entry.ai_next
    }
    return found
  }

  private static func address(in entry: addrinfo) -> NetworkAddress? {
    switch entry.ai_family {
    case AF_INET:
      entry.ai_addr.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
        withUnsafeBytes(of: address.pointee.sin_addr) { NetworkAddress(bytes: Array($0)) }
      }
    case AF_INET6:
      entry.ai_addr.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
        withUnsafeBytes(of: address.pointee.sin6_addr) { NetworkAddress(bytes: Array($0)) }
      }
    default: nil
    }
  }
}

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
