// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import HummingbirdTesting
import LongboxReaders
import Testing

@testable import LongboxServer

@Suite("Names of the server", .timeLimit(.minutes(10))) struct HostNamesTests {
  private let names = HostNames {
    MachineNames.current(["comics.example.org", "nas"], host: "Box.lan").names
  }

  private func allows(_ host: String) -> Bool {
    HostField(host).map { names.allows($0) } ?? false
  }

  @Test func `are those of the machine and of the settings`() {
    func names(_ configured: [String], _ host: String) -> [String] {
      MachineNames.current(configured, host: host).names
    }
    #expect(names(["nas"], "Box.lan.") == ["nas", "box.local", "box", "box.lan", "localhost"])
    #expect(names(["box"], "box") == ["box", "box.local", "localhost"])
    #expect(names([], "my_box") == ["my_box.local", "my_box", "localhost"])
    #expect(names([], "localhost.localdomain") == ["localhost.localdomain", "localhost"])
    #expect(names([], "not a name") == ["localhost"])
  }

  @Test(arguments: [
    "localhost", "LOCALHOST:8353", "localhost.", "a.localhost", "127.0.0.1", "127.0.0.1:80",
    "192.168.1.20:8353",
    "[::1]", "[::1]:8353", "[fe80::1]", "[fe80::1%25eth0]", "[fe80::1%25eth0]:8353", "[fe80::1%Enp3s0.7]",
    "box.lan", "box", "box:8353", "BOX.local.:1", "comics.example.org",
    "comics.example.org.:443", "nas", "localhost:",
  ])
  func `are allowed with a port or without`(host: String) {
    #expect(allows(host))
  }

  @Test(arguments: [
    "", "x", "example.org", "evil.example.org", "comics.example.org.evil.org", "localhost.evil.org",
    "xlocalhost",
    "box.lan.evil.org", "127.0.0.1.evil.org", "127.1", "0x7f.0.0.1", "::1", "[::1", "::1]", "[]",
    "[127.0.0.1]", "[fe80::1%]", "[fe80::1%25<b>]", "[fe80::1%25sixteen-bytes-it]", "[%25eth0]",
    "fe80::1%25eth0",
    "127.0.0.1%25eth0",
    "[::1]x", "[::1]:x", "localhost:x", "localhost:123456", "a@localhost", "localhost/",
    "localhost, evil.org",
    "evil.org:80:localhost", ".localhost", ".", "localhost..", "lo calhost", "localhost\u{0}", "lócalhost",
  ])
  func `are allowed and nothing else`(host: String) {
    #expect(!allows(host))
  }

  @Test func `of this machine are known`() throws {
    let name = try #require(HostField(ProcessInfo.processInfo.hostName)).name
    #expect(MachineNames.current([]).names.contains(name))
  }

  @Test func `for other devices are those that lead here, the ones that stay first`() {
    let avahi = Avahi(isRunning: { true })
    func hosts(_ host: String, _ own: [String] = [], published: String? = nil, with avahi: Avahi) -> [String]
    {
      var machine = MachineNames.current(own, claimed: "longbox.local", host: host)
      let longer = [UInt8](repeating: 1, count: 16)
      machine.addresses = [[127, 0, 0, 1], [169, 254, 3, 4], [192, 168, 1, 20], longer]
      return machine.reachable(own, by: nil, published: published, avahi: avahi)
    }
    #expect(hosts("box.lan", with: avahi) == ["box.local", "192.168.1.20"])
    #expect(
      hosts("box.lan", ["books.lan"], published: "longbox.local", with: avahi)
        == ["books.lan", "box.local", "longbox.local", "192.168.1.20"]
    )
    #expect(hosts("localhost", published: "longbox.local", with: avahi) == ["longbox.local", "192.168.1.20"])
    // Another machine has the name.
    #expect(hosts("my_box", with: avahi) == ["192.168.1.20"])
    #expect(hosts("box.lan", with: Avahi(isRunning: { false })) == ["192.168.1.20"])
    let claimed = MachineNames.current([], claimed: "longbox.local", host: "box.lan").names
    #expect(claimed == ["box.local", "box", "longbox.local", "box.lan", "localhost"])
  }

  @Test func `lead to the address where the server listens`() {
    var machine = MachineNames(machine: "box", names: [], addresses: [])
    machine.addresses = [[127, 0, 0, 1], [192, 168, 1, 20], [10, 0, 0, 7]]
    #expect(machine.address(listeningAt: "0.0.0.0") == "192.168.1.20")
    #expect(machine.address(listeningAt: "::") == "192.168.1.20")
    #expect(machine.address(listeningAt: "box.lan") == "192.168.1.20")
    #expect(machine.address(listeningAt: "10.0.0.7") == "10.0.0.7")
    #expect(machine.address(listeningAt: "fd00::1") == "fd00::1")
    machine.addresses = [[127, 0, 0, 1]]
    #expect(machine.address(listeningAt: "0.0.0.0") == nil)
  }

  @Test func `that are missing are named with the line to add, unless they are malformed`() {
    let rejection = HostNames.rejection(of: HostField("NAS.lan:8353"))
    #expect(rejection.contains("doesn't know the name “nas.lan”"))
    #expect(rejection.contains("\n    LONGBOX_HOST_NAMES=nas.lan\n"))
    for malformed in ["<b>nas</b>", "a@nas", "my_nas", "nas\u{0}"] {
      let rejection = HostNames.rejection(of: HostField(malformed))
      #expect(!rejection.contains("nas"), "\(malformed)")
      #expect(rejection.contains("LONGBOX_HOST_NAMES"))
    }
    #expect(HostNames.line(adding: "nas.lan", to: ["books.lan"]) == "LONGBOX_HOST_NAMES=books.lan,nas.lan")
  }

  @Test func `that were refused are in the health check for this machine's user alone`() async throws {
    let key = AccessToken()
    let network = NetworkAccess(gate: AccessGate(machineKey: AccessToken.hash(of: key.text)))
    try await withServer(network: { _ in network }) { bench async throws in
      bench.endpoints.incidents.note(.foreignHost, "nas.lan")
      bench.endpoints.incidents.note(.foreignHost, "<b>")
      #expect(RefusedHosts(health: try await bench.get("/healthz").bytes) == nil)
      #expect(!(try await bench.get("/healthz").text.contains("nas.lan")))
      let health = try await bench.get("/healthz", [.named(MachineKeyField.name): key.text])
      let refused = try #require(RefusedHosts(health: health.bytes))
      #expect(refused.count == 2 && refused.last == "<b>")
    }
  }

  @Test func `are read with their port`() throws {
    let host = try #require(HostField("[FD00::1]:8353"))
    #expect(host.name == "fd00::1" && host.port == ":8353" && host.isAddress && !host.isLoopback)
    #expect(HostField("Box.lan.")?.name == "box.lan")
    #expect(HostField(nil) == nil)
  }
}
