// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// Finds the addresses of a host.
///
/// Whoever sends looks a name up here once, checks what it leads to, and connects to the address that was checked: a name
/// that leads elsewhere a moment later (DNS rebinding) changes nothing.
public struct HostResolver: Sendable {
  /// All addresses of a name; none where it is not known or no name server answers in time.
  let addresses: @Sendable (String) async -> [NetworkAddress]

  init(_ addresses: @escaping @Sendable (String) async -> [NetworkAddress]) {
    self.addresses = addresses
  }

  /// The system's own, as getaddrinfo(3) gives it, within a time limit.
  public static func system(timeLimit: Duration = .seconds(5)) -> HostResolver {
    HostResolver { host in
      let (answers, answer) = AsyncStream.makeStream(of: [NetworkAddress].self)
      // The call blocks and can't be cancelled, so it has a thread of its own and is left to itself when time is up.
      DispatchQueue.global(qos: .utility).async {
        answer.yield(lookUp(host))
        answer.finish()
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

  private static func lookUp(_ host: String) -> [NetworkAddress] {
    var first: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, nil, &first) == 0 else { return [] }
    defer { freeaddrinfo(first) }
    var found: [NetworkAddress] = []
    var next = first
    while let entry = next?.pointee {
      // One comes for each kind of socket.
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
