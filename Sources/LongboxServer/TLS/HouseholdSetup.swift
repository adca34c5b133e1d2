// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
import LongboxReaders

/// The names, addresses and fingerprint that a person needs to reach this machine from a phone.
public struct HouseholdSetup: Sendable {
  /// The names and addresses under which other devices reach this machine, the best first.
  public private(set) var hosts: [String]
  /// The name that this machine can't publish, because another one in the network has it; nil if there is none.
  public private(set) var takenName: String?
  /// The SHA-256 of the authority's certificate, in pairs of digits.
  public let fingerprint: String

  private let machine: MachineNames
  private let avahi: Avahi

  /// Makes the household's authority, if there is none, and finds this machine's addresses.
  /// - Parameters:
  ///   - data: the data folder.
  ///   - hostNames: the operator's names.
  ///   - now: the time.
  /// - Throws: `TLSError`.
  public init(in data: URL, hostNames: [String], at now: Date) throws {
    try self.init(in: data, hostNames: hostNames, at: now, MachineNames.current(hostNames), Avahi())
  }

  init(in data: URL, hostNames: [String], at now: Date, _ machine: MachineNames, _ avahi: Avahi) throws {
    (self.machine, self.avahi) = (machine, avahi)
    let folder = HouseholdAuthority.folder(in: data)
    let authority = try HouseholdAuthority.loadOrCreate(in: folder, for: machine, names: hostNames, at: now)
    fingerprint = authority.fingerprint
    let published = avahi.canPublish ? NamePublisher.name : nil
    hosts = machine.reachable(hostNames, by: authority, published: published, avahi: avahi)
  }

  /// Asks the network whether another machine has the name `longbox.local`; if so, removes it from ``hosts``.
  ///
  /// - Parameter limit: the maximum wait for an answer.
  public mutating func checkName(within limit: Duration = .seconds(2)) async {
    let (name, avahi) = (NamePublisher.name, avahi)
    guard hosts.contains(name), name != "\(machine.machine).local" else { return }
    let thread = SerialThread(label: "longbox.avahi")
    let own = machine.addresses.map { $0.map { String($0) }.joined(separator: ".") }
    let address = await thread.run { avahi.address(of: name, within: limit) }
    guard let address, !own.contains(address) else { return }
    hosts.removeAll { $0 == name }
    takenName = name
  }

  /// Whether a text is a name that this machine can have, in lower case.
  public static func isHostName(_ text: String) -> Bool { HostField.isCertifiable(text) }
}
