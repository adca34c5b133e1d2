// Longbox
// SPDX-License-Identifier: MIT

import Testing

@testable import LongboxServer

@Suite struct `Trusted proxies` {
  @Test(arguments: [
    ("192.0.2.1", ["192.0.2.1", "::ffff:192.0.2.1"], ["192.0.2.2", "::1"]),
    ("10.1.2.3/8", ["10.0.0.0", "10.255.255.255"], ["11.0.0.0", "9.255.255.255"]),
    ("192.0.2.0/25", ["192.0.2.127"], ["192.0.2.128"]),
    ("::1", ["::1"], ["127.0.0.1", "::2"]),
    ("2001:db8::/33", ["2001:db8:7fff::1"], ["2001:db8:8000::1", "2001:db9::1"]),
    ("::ffff:10.0.0.0/104", ["10.9.9.9"], ["11.0.0.0", "::10.0.0.1"]),
  ])
  func `are addresses and networks`(text: String, members: [String], others: [String]) throws {
    var proxies = TrustedProxies()
    #expect(proxies.isEmpty)
    let isAdded = proxies.add(text)
    #expect(isAdded && !proxies.isEmpty)
    for member in members { #expect(proxies.contains(try #require(IPAddress(text: member))), "\(member)") }
    for other in others { #expect(!proxies.contains(try #require(IPAddress(text: other))), "\(other)") }
  }

  @Test(arguments: [
    "", "/8", "10.0.0.0/0", "::/0", "0.0.0.0/0", "::ffff:0.0.0.0/96", "::ffff:10.0.0.0/8", "10.0.0.0/33",
    "fd00::/129", "10.0.0.0/", "10.0.0.0/+8", "10.0.0.0/-8", "10.0.0.0/8/8", "10.0.0", "localhost",
    "10.0.0.256", "010.0.0.1", "fd00::1%eth0", "[::1]", "10.0.0.1:80", " 10.0.0.1", "*",
  ])
  func `are nothing else, and never everybody`(text: String) {
    var proxies = TrustedProxies()
    let isAdded = proxies.add(text)
    #expect(!isAdded && proxies.isEmpty)
  }
}
