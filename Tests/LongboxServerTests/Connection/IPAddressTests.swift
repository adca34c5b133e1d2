// Longbox
// SPDX-License-Identifier: MIT

import LongboxReaders
import NIOCore
import Testing

@testable import LongboxServer

@Suite("The address a connection counts for") struct ClientAddressTests {
  @Test(arguments: [
    ("127.0.0.1", "loopback"), ("::1", "loopback"), ("::ffff:127.0.0.1", "loopback"),
    ("127.0.0.2", "127.0.0.2"), ("192.168.1.20", "192.168.1.20"), ("::ffff:10.0.0.1", "10.0.0.1"),
    ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("2001:db8:1:2:ffff::", "2001:db8:1:2::/64"),
    ("fe80::1", "fe80:0:0:0::/64"),
  ])
  func `is an IPv4 address or an IPv6 network`(address: String, description: String) throws {
    let address = try SocketAddress(ipAddress: address, port: 80)
    #expect(ClientAddress(address).description == description)
  }

  @Test(arguments: [
    ("127.0.0.1", true), ("127.0.0.9", true), ("::1", true), ("::ffff:127.0.0.2", true),
    ("126.0.0.1", false), ("128.0.0.1", false), ("::2", false), ("::127.0.0.1", false), ("7f00::1", false),
  ])
  func `tells whether it is this machine`(address: String, isLoopback: Bool) throws {
    #expect(ClientAddress(try SocketAddress(ipAddress: address, port: 80)).isLoopback == isLoopback)
  }

  @Test func `is the same for all addresses of a network`() throws {
    func address(_ text: String) throws -> ClientAddress {
      ClientAddress(try SocketAddress(ipAddress: text, port: 80))
    }
    #expect(try address("2001:db8::1") == address("2001:db8::ffff"))
    #expect(try address("2001:db8::1") != address("2001:db8:0:1::1"))
    #expect(try address("::ffff:10.0.0.1") == address("10.0.0.1"))
    #expect(ClientAddress(nil) == .unknown)
  }
}
