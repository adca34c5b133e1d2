// Longbox
// SPDX-License-Identifier: MIT

import Testing

@testable import LongboxServer

@Suite struct `The server's public address` {
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
    nil, "", "a b", "evil.example/path?", "host\"><script>", "häuser.example", "user@host",
    String(repeating: "a", count: 256),
  ])
  func `is rejected if it is invalid`(authority: String?) {
    #expect(PublicAddress(authority: authority, isSecure: false) == nil)
  }
}
