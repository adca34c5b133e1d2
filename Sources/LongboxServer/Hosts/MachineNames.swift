// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import NIOCore

/// The names and addresses of this machine.
struct MachineNames: Equatable, Sendable {
  /// The machine's own short name, in lower case.
  var machine: String
  /// All names, in lower case, the best for other devices first.
  var names: [String]
  /// The IP addresses, 4 or 16 bytes each.
  var addresses: [[UInt8]]

  /// Whether other programs can find `name.local`: a responder for multicast DNS runs.
  static var hasResponder: Bool { FileManager.default.fileExists(atPath: "/run/avahi-daemon/socket") }

  /// Reads the names and addresses that the machine has now.
  /// - Parameters:
  ///   - configured: the operator's names, in lower case.
  ///   - host: the name that the system has for the machine.
  static func current(
    _ configured: [String],
    host: String = ProcessInfo.processInfo.hostName
  ) -> MachineNames {
    let full = HostField(host)?.name ?? "localhost"
    // Routers and multicast DNS know a machine by its first label.
    let short = String(full.prefix { $0 != "." })
    var names = configured
    if short != "localhost" { names += ["\(short).local", short] }
    names += [full, "localhost"]
    var seen: Set<String> = []
    let devices = (try? System.enumerateDevices()) ?? []
    // IPv6 addresses that begin with fe80 hold on one link only.
    let addresses = devices.compactMap { $0.address?.bytes }
      .filter { !($0.count == 16 && $0[0] == 0xFE && $0[1] & 0xC0 == 0x80) }
    var known: Set<[UInt8]> = []
    return MachineNames(
      machine: HostField.isCertifiable(short) && short != "localhost" ? short : "longbox",
      names: names.filter { seen.insert($0).inserted },
      addresses: addresses.filter { known.insert($0).inserted }.prefix(32).sorted { $0.count < $1.count }
    )
  }

  /// How other devices reach this machine: the operator's names, the name by multicast DNS, then IPv4 addresses.
  /// - Parameters:
  ///   - configured: the operator's names.
  ///   - authority: the household's authority, if it vouches for the addresses.
  func reachable(_ configured: [String], by authority: HouseholdAuthority?) -> [String] {
    let local = names.filter { name in
      configured.contains(name) || (name == "\(machine).local" && Self.hasResponder)
    }
    let numbers = addresses.filter { $0.count == 4 && $0[0] != 127 && !($0[0] == 169 && $0[1] == 254) }
      .filter { authority?.permits($0) ?? true }
    return local + numbers.map { $0.map { String($0) }.joined(separator: ".") }
  }
}
