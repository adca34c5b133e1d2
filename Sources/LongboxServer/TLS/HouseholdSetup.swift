// Longbox
// SPDX-License-Identifier: MIT

public import Foundation

/// What a person needs to reach this machine from a phone.
public struct HouseholdSetup: Sendable {
  /// The names and addresses under which other devices reach this machine, the best first.
  public let hosts: [String]
  /// The SHA-256 of the authority's certificate, in pairs of digits.
  public let fingerprint: String

  /// Makes the household's authority, if there is none, and finds this machine's addresses.
  /// - Parameters:
  ///   - data: the data folder.
  ///   - hostNames: the operator's names.
  ///   - now: the time.
  /// - Throws: `TLSError`.
  public init(in data: URL, hostNames: [String], at now: Date) throws {
    let machine = MachineNames.current(hostNames)
    let folder = HouseholdAuthority.folder(in: data)
    let authority = try HouseholdAuthority.kept(in: folder, for: machine, names: hostNames, at: now)
    fingerprint = authority.fingerprint
    let published = Avahi().canPublish ? NamePublisher.name : nil
    hosts = machine.reachable(hostNames, by: authority, published: published)
  }

  /// Whether a text is a name that this machine can have, in lower case.
  public static func isHostName(_ text: String) -> Bool { HostField.isCertifiable(text) }
}
