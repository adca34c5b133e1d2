// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import NIOCore
import Synchronization

/// The names and addresses of this machine.
struct MachineNames: Equatable, Sendable {
  /// The machine's own short name, in lower case.
  var machine: String
  /// All names, in lower case, the best for other devices first.
  var names: [String]
  /// The IP addresses, 4 or 16 bytes each.
  var addresses: [[UInt8]]
  /// A name that the machine has only while it is published, see `NamePublisher`.
  var claimed: String?

  /// Reads the names and addresses that the machine has now.
  /// - Parameters:
  ///   - configured: the operator's names, in lower case.
  ///   - claimed: a further name that it publishes.
  ///   - host: the name that the system has for the machine.
  static func current(
    _ configured: [String],
    claimed: String? = nil,
    host: String = ProcessInfo.processInfo.hostName
  ) -> MachineNames {
    let full = HostField(host)?.name ?? "localhost"
    // Routers and multicast DNS know a machine by its first label.
    let short = String(full.prefix { $0 != "." })
    var names = configured
    if short != "localhost" { names += ["\(short).local", short] }
    if let claimed { names.append(claimed) }
    names += [full, "localhost"]
    var seen: Set<String> = []
    let devices = (try? System.enumerateDevices()) ?? []
    // IPv6 addresses that begin with fe80 are valid on one link only.
    let addresses = devices.compactMap { $0.address?.bytes }
      .filter { !($0.count == 16 && $0[0] == 0xFE && $0[1] & 0xC0 == 0x80) }
    var known: Set<[UInt8]> = []
    return MachineNames(
      machine: HostField.isCertifiable(short) && short != "localhost" ? short : "longbox",
      names: names.filter { seen.insert($0).inserted },
      addresses: addresses.filter { known.insert($0).inserted }.prefix(32).sorted { $0.count < $1.count },
      claimed: claimed
    )
  }

  /// How other devices reach this machine: the operator's names, its own by multicast DNS, the one that it publishes,
  /// then IPv4 addresses.
  ///
  /// Its own name comes before the published one, because another machine may take that one later.
  /// - Parameters:
  ///   - configured: the operator's names.
  ///   - authority: the household's authority, if it vouches for the addresses.
  ///   - published: the name that it publishes.
  ///   - avahi: what answers for its own name.
  func reachable(
    _ configured: [String],
    by authority: HouseholdAuthority?,
    published: String? = nil,
    avahi: Avahi = Avahi()
  ) -> [String] {
    var local = names.filter { name in
      configured.contains(name) || (name == "\(machine).local" && name != claimed && avahi.isRunning())
    }
    if let published, !local.contains(published) { local.append(published) }
    return local + numbers(by: authority)
  }

  /// Its IPv4 addresses in networks.
  private func numbers(by authority: HouseholdAuthority?) -> [String] {
    addresses.filter { $0.count == 4 && $0[0] != 127 && !($0[0] == 169 && $0[1] == 254) }
      .filter { authority?.permits($0) ?? true }
      .map { $0.map { String($0) }.joined(separator: ".") }
  }

  /// The address by which other devices reach a server on this machine; nil if there is none.
  /// - Parameter host: where the server listens.
  func address(listeningAt host: String) -> String? {
    if let field = HostField(host.contains(":") ? "[\(host)]" : host), field.isAddress, !field.isWildcard {
      return field.name
    }
    return numbers(by: nil).first
  }
}

/// The names and addresses of this machine, read again when they are half a minute old.
///
/// While one caller reads them, the others get the old ones, so no request waits for another's reading.
final class MachineNamesCache: Sendable {
  private static let age: TimeInterval = 30
  private let configured: [String]
  private let claimed: @Sendable () -> String?
  private let now: @Sendable () -> Date
  private let state: Mutex<(names: MachineNames, read: Date)>

  /// - Parameters:
  ///   - configured: the operator's names.
  ///   - claimed: a further name that the machine publishes.
  ///   - now: the time.
  init(
    _ configured: [String],
    claimed: @escaping @Sendable () -> String?,
    now: @escaping @Sendable () -> Date
  ) {
    self.configured = configured
    self.claimed = claimed
    self.now = now
    state = Mutex((MachineNames.current(configured, claimed: claimed()), now()))
  }

  var current: MachineNames {
    let now = now()
    let (names, isOld) = state.withLock { state in
      let isOld = abs(now.timeIntervalSince(state.read)) >= Self.age
      if isOld { state.read = now }
      return (state.names, isOld)
    }
    guard isOld else { return names }
    let read = MachineNames.current(configured, claimed: claimed())
    state.withLock { $0.names = read }
    return read
  }
}
