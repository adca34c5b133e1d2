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
