// Longbox
// SPDX-License-Identifier: MIT

/// The addresses and networks of the operator's proxies, which are believed about their clients.
public struct TrustedProxies: Equatable, Sendable {
  private var networks: [Subnet] = []

  /// Creates an empty list: no proxy is believed.
  public init() {}

  /// Whether no proxy is listed.
  public var isEmpty: Bool { networks.isEmpty }

  /// Adds an address such as `192.0.2.1`, or a network such as `10.0.0.0/8` or `fd00::/8`.
  /// - Returns: whether the text is one. A network of everybody (`/0`) is not: all clients could then lie.
  public mutating func add(_ text: String) -> Bool {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = parts.first.flatMap({ IPAddress(text: $0) }) else { return false }
    let bits = address.bytes.count * 8
    var length = bits
    if parts.count == 2 {
      guard parts[1].utf8.count <= 3, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = Int(parts[1])
      else { return false }
      // An IPv4 network may be written in the form of IPv6, after 96 fixed bits.
      length = bits == 32 && parts[0].contains(":") ? number - 96 : number
    }
    guard (1...bits).contains(length) else { return false }
    networks.append(Subnet(address.bytes, length: length))
    return true
  }

  /// Whether an address is one of a proxy.
  func contains(_ address: IPAddress) -> Bool {
    networks.contains { $0.contains(address.bytes) }
  }
}
