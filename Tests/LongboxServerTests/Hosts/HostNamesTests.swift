// Longbox
// SPDX-License-Identifier: MIT

import Testing

@testable import LongboxServer

@Suite struct `Names of the server` {
  private let names = HostNames(configured: ["Comics.Example.org.", "nas"], machine: "Box.lan")

  @Test func `are those of the machine and of the settings`() {
    #expect(names.names == ["localhost", "box.lan", "box", "box.local", "comics.example.org", "nas"])
    #expect(HostNames(machine: nil).names == ["localhost"])
    #expect(HostNames(configured: ["box"], machine: "box").names == ["localhost", "box", "box.local"])
    #expect(HostNames(machine: "not a name").names == ["localhost"])
  }

  @Test(arguments: [
    "localhost", "LOCALHOST:8353", "localhost.", "a.localhost", "127.0.0.1", "127.0.0.1:80",
    "192.168.1.20:8353",
    "[::1]", "[::1]:8353", "[fe80::1]", "box.lan", "box", "box:8353", "BOX.local.:1", "comics.example.org",
    "comics.example.org.:443", "nas", "localhost:",
  ])
  func `are allowed with a port or without`(host: String) {
    #expect(names.allows(authority: host))
    #expect(names.allows(origin: "http://\(host)"))
  }

  @Test(arguments: [
    "", "x", "example.org", "evil.example.org", "comics.example.org.evil.org", "localhost.evil.org",
    "xlocalhost",
    "box.lan.evil.org", "127.0.0.1.evil.org", "127.1", "0x7f.0.0.1", "::1", "[::1", "::1]", "[]",
    "[127.0.0.1]",
    "[::1]x", "[::1]:x", "localhost:x", "localhost:123456", "a@localhost", "localhost/",
    "localhost, evil.org",
    "evil.org:80:localhost", ".localhost", ".", "localhost..", "lo calhost", "localhost\u{0}", "lócalhost",
  ])
  func `are allowed and nothing else`(host: String) {
    #expect(!names.allows(authority: host))
  }

  @Test func `of this machine are known`() throws {
    let name = try #require(HostNames.machineName)
    #expect(HostNames().allows(authority: name))
  }
}
