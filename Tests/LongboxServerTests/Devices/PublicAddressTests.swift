// Longbox
// SPDX-License-Identifier: MIT

import Testing

@testable import LongboxServer

@Suite("The server's public address") struct PublicAddressTests {
  @Test(arguments: [
    ("127.0.0.1:8353", false, "http://127.0.0.1:8353/join", true),
    ("localhost", false, "http://localhost/join", true),
    ("box.localhost:80", false, "http://box.localhost:80/join", true),
    ("[::1]:8353", false, "http://[::1]:8353/join", true),
    ("0.0.0.0:8353", false, "http://0.0.0.0:8353/join", true),
    ("192.168.1.20:8353", false, "http://192.168.1.20:8353/join", false),
    ("comics.example", true, "https://comics.example/join", false),
    ("127.example", false, "http://127.example/join", false),
    ("[fd00::1]", true, "https://[fd00::1]/join", false),
  ])
  func `is used in the link, and tells whether it is local`(
    authority: String,
    isSecure: Bool,
    link: String,
    isLoopback: Bool
  ) throws {
    let address = try #require(PublicAddress(authority: authority, isSecure: isSecure))
    #expect(address.link(to: "/join") == link)
    #expect(address.isLoopback == isLoopback)
  }

  @Test(arguments: [
    ("https://comics.example.org", true), ("https://comics.example.org:8443/box", true),
    ("http://203.0.113.7", true), ("http://172.32.0.1", true), ("http://100.128.0.1", true),
    ("https://[2001:db8::1]", true), ("https://local.example.org", true),
    ("http://localhost:8353", false), ("http://longbox.localhost", false), ("http://longbox.local", false),
    ("http://longbox", false), ("https://nas.home.arpa", false), ("https://longbox.corp.internal", false),
    ("http://127.0.0.1:8353", false), ("http://10.0.0.2", false), ("http://172.16.0.1", false),
    ("http://172.31.255.255", false), ("http://192.168.1.20", false), ("http://169.254.1.1", false),
    ("http://100.64.0.1", false), ("http://0.0.0.0", false), ("http://[::1]", false), ("http://[::]", false),
    ("http://[fd00::1]", false), ("http://[fe80::1]", false), ("http://[::ffff:192.168.1.20]", false),
  ])
  func `is shared only if people elsewhere can reach it`(url: String, isPublic: Bool) throws {
    let site = SiteAddress(try #require(PublicAddress(url: url)))
    #expect((site.shared != nil) == isPublic)
    #expect(SiteAddress().shared == nil)
  }

  @Test(arguments: [
    nil, "", "a b", "evil.example/path?", "host\"><script>", "häuser.example", "user@host",
    String(repeating: "a", count: 256),
  ])
  func `is rejected if it is invalid`(authority: String?) {
    #expect(PublicAddress(authority: authority, isSecure: false) == nil)
  }
}
