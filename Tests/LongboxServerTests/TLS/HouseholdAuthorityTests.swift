// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import SwiftASN1
import Testing
import TestSupport
import X509

@testable import LongboxServer

@Suite("The household's authority") struct HouseholdAuthorityTests {
  private let folder = TemporaryFolder()
  private let now = Date()
  private let machine = MachineNames(
    machine: "nas",
    names: ["nas.local", "nas", "localhost", "books.example.org"],
    addresses: [[127, 0, 0, 1], [192, 168, 1, 5], [8, 8, 8, 8], [UInt8](repeating: 0, count: 15) + [1]]
  )

  private let alone = MachineNames(machine: "nas", names: [], addresses: [])

  private func files(_ authority: HouseholdAuthority, _ leaf: HouseholdAuthority.Leaf) throws -> (
    ca: String, leaf: String
  ) {
    try folder.write(Array(authority.certificate.serializeAsPEM().pemString.utf8), to: "ca.pem")
    try folder.write(Array(leaf.certificate.serializeAsPEM().pemString.utf8), to: "leaf.pem")
    return (folder.path("ca.pem").path, folder.path("leaf.pem").path)
  }

  @Test func `makes certificates that OpenSSL verifies strictly`() async throws {
    let authority = try HouseholdAuthority(for: alone, names: ["books.example.org"], at: now)
    let paths = try files(authority, try authority.leaf(for: machine, at: now))
    for options in [
      ["-verify_hostname", "nas.local"], ["-verify_hostname", "nas"],
      ["-verify_hostname", "books.example.org"],
      ["-verify_ip", "192.168.1.5"], ["-verify_ip", "::1"],
    ] {
      let outcome = try await Program.run(
        "openssl",
        "verify",
        "-x509_strict",
        "-purpose",
        "sslserver",
        options[0],
        options[1],
        "-CAfile",
        paths.ca,
        paths.leaf
      )
      #expect(outcome.code == 0, "\(options): \(outcome.text)")
    }
    let wrong = try await Program.run(
      "openssl",
      "verify",
      "-verify_hostname",
      "other.local",
      "-CAfile",
      paths.ca,
      paths.leaf
    )
    #expect(wrong.code != 0 && wrong.text.contains("hostname mismatch"))
  }

  @Test(arguments: [
    (["example.com"], [[UInt8]]()), ([], [[8, 8, 8, 8]]),
    ([], [[0x20, 1] + [UInt8](repeating: 0, count: 14)]),
  ])
  func `can't vouch for names and addresses outside of home networks`(names: [String], addresses: [[UInt8]])
    async throws
  {
    let authority = try HouseholdAuthority(for: alone, names: [], at: now)
    let paths = try files(authority, try authority.sign(names: names, addresses: addresses, at: now))
    let outcome = try await Program.run("openssl", "verify", "-x509_strict", "-CAfile", paths.ca, paths.leaf)
    #expect(outcome.code != 0 && outcome.text.contains("permitted subtree violation"), "\(outcome.text)")
  }

  @Test func `leaves out what it can't vouch for`() throws {
    let authority = try HouseholdAuthority(for: alone, names: [], at: now)
    let leaf = try authority.leaf(for: machine, at: now).certificate
    let names = try #require(try leaf.extensions.subjectAlternativeNames)
    #expect(names.count == 6, "nas.local, nas, localhost, 127.0.0.1, 192.168.1.5, ::1")
    #expect(!authority.permits("books.example.org") && !authority.permits("evillocal"))
    #expect(leaf.subject.isEmpty)
    #expect(leaf.notValidAfter.timeIntervalSince(leaf.notValidBefore) <= 397 * 24 * 3600)
    #expect(leaf.serialNumber.bytes.count == 16 && leaf.serialNumber.bytes.first.map { $0 < 0x80 } == true)
  }

  @Test func `vouches for the machine's own network where that isn't private`() throws {
    let authority = try HouseholdAuthority(for: machine, names: [], at: now)
    #expect(authority.permits([8, 8, 8, 9]) && !authority.permits([8, 8, 9, 8]))
  }

  @Test func `is kept, and its key is readable by its owner only`() throws {
    let place = HouseholdAuthority.folder(in: folder.url)
    let one = try HouseholdAuthority.loadOrCreate(
      in: place,
      for: alone,
      names: ["books.example.org"],
      at: now
    )
    let again = try HouseholdAuthority.loadOrCreate(in: place, for: machine, names: [], at: now)
    #expect(one.fingerprint == again.fingerprint && again.permits("books.example.org"))
    #expect(one.fingerprint.count == 95)
    let key = try FileManager.default.attributesOfItem(
      atPath: place.appending(path: "authority.key.pem").path
    )
    #expect(key[.posixPermissions] as? Int == 0o600)
    try Data("nothing".utf8).write(to: place.appending(path: "authority.pem"))
    #expect(throws: TLSError.self) {
      try HouseholdAuthority.loadOrCreate(in: place, for: alone, names: [], at: now)
    }
  }

  @Test func `describes ranges of addresses as address and mask`() {
    #expect(Subnet([10, 1, 2, 3], length: 8).bytes == [10, 0, 0, 0, 255, 0, 0, 0])
    #expect(Subnet([172, 16, 0, 0], length: 12).contains([172, 31, 255, 255]))
    #expect(!Subnet([172, 16, 0, 0], length: 12).contains([172, 32, 0, 0]))
  }
}

@Suite("Setting up for a phone", .timeLimit(.minutes(5))) struct HouseholdSetupTests {
  private let folder = TemporaryFolder()
  private let machine = MachineNames(
    machine: "box",
    names: ["box.local", "box", "localhost"],
    addresses: [[192, 168, 1, 20]]
  )

  /// - Parameters:
  ///   - script: what stands in for `avahi-resolve`.
  ///   - limit: the maximum wait for it, by default one that even a busy machine keeps.
  private func setup(_ script: String, within limit: Duration = .seconds(60)) async throws -> HouseholdSetup {
    let program = try await folder.write(program: script, to: "avahi-resolve").path
    let avahi = Avahi(isRunning: { true }, path: { $0 == "avahi-resolve" ? program : "/bin/true" })
    var setup = try HouseholdSetup(in: folder.url, hostNames: [], at: Date(), machine, avahi)
    #expect(setup.hosts == ["box.local", "longbox.local", "192.168.1.20"])
    await setup.checkName(within: limit)
    return setup
  }

  @Test func `leaves out the name that another machine has`() async throws {
    let setup = try await setup(
      #"[ "$*" = "-4 --name longbox.local" ] && printf 'longbox.local\t192.168.1.9\n'"#
    )
    #expect(setup.takenName == "longbox.local")
    #expect(setup.hosts == ["box.local", "192.168.1.20"])
  }

  @Test(arguments: [
    #"printf 'longbox.local\t192.168.1.20\n'"#,
    "echo \"Failed to resolve host name 'longbox.local': Timeout reached\" >&2; exit 1",
  ])
  func `offers the name if it is this machine's, or no machine's`(script: String) async throws {
    let setup = try await setup(script)
    #expect(setup.takenName == nil)
    #expect(setup.hosts == ["box.local", "longbox.local", "192.168.1.20"])
  }

  @Test func `offers the name if there is no answer in time`() async throws {
    let setup = try await setup("exec sleep 1000", within: .milliseconds(200))
    #expect(setup.takenName == nil)
    #expect(setup.hosts == ["box.local", "longbox.local", "192.168.1.20"])
  }
}
