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
  /// - Parameter configured: the operator's names.
  static func current(_ configured: [String]) -> MachineNames {
    let full = ProcessInfo.processInfo.hostName.lowercased()
    let short = String(full.prefix { $0 != "." })
    let machine = isName(short) && short != "localhost" ? short : "longbox"
    var names = configured.map { $0.lowercased() }
    if machine == short { names += ["\(machine).local", machine] }
    if isName(full) { names.append(full) }
    names.append("localhost")
    var seen: Set<String> = []
    let devices = (try? System.enumerateDevices()) ?? []
    let addresses = devices.compactMap { $0.address.flatMap { Self.bytes(of: $0) } }
    var known: Set<[UInt8]> = []
    return MachineNames(
      machine: machine,
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

  /// Whether a text is a name that a certificate can have.
  static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 253
      && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
        (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
          && label.utf8.allSatisfy { letter in
            switch letter {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "-"): true
            default: false
            }
          }
      }
  }

  /// The bytes of an IP address; nil for others and for IPv6 addresses that hold on one link only.
  private static func bytes(of address: SocketAddress) -> [UInt8]? {
    switch address {
    case .v4(let address): return withUnsafeBytes(of: address.address.sin_addr.s_addr) { Array($0) }
    case .v6(let address):
      let bytes = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
      return bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 ? nil : bytes
    default: return nil
    }
  }
}
