// Longbox
// SPDX-License-Identifier: MIT

import Testing

@testable import LongboxPush

struct PushEndpointTests {
  @Test(arguments: [
    "https://fcm.googleapis.com/fcm/send/abc:DEF-_%2F?x=1",
    "https://updates.push.services.mozilla.com/wpush/v2/gAAAA",
    "https://web.push.apple.com:443/QGx", "https://Push.Example.NET/a",
  ])
  func `of a public service is accepted unchanged`(text: String) throws {
    let endpoint = try PushEndpoint(text)
    #expect(endpoint.origin.port == 443)
    #expect(endpoint.description.hasSuffix(text.split(separator: "/").last?.description ?? ""))
  }

  /// Endpoints that would make the server connect to a private host, or that parsers read differently.
  @Test(
    arguments: [
      ("http://push.example.net/a", .notEncrypted), ("ftp://push.example.net/a", .malformed),
      ("file:///etc/passwd", .malformed), ("gopher://push.example.net/a", .malformed), ("", .malformed),
      ("push.example.net/a", .malformed), ("https:/push.example.net/a", .malformed),
      ("https://push.example.net", .malformed), ("https:///a", .malformed),
      ("https://user@push.example.net/a", .userInformation),
      ("https://push.example.net:x@127.0.0.1/a", .userInformation),
      ("https://push.example.net\\@127.0.0.1/a", .malformed), ("https://push.example.net /a", .malformed),
      ("https://push.example.net/a\r\nX: y", .malformed), ("https://push.example.net/\u{e9}", .malformed),
      ("https://push.example.net/a#b", .malformed), ("https://p\u{fc}sh.example.net/a", .malformed),
      ("https://push.example.net:22/a", .port(22)), ("https://push.example.net:8443/a", .port(8443)),
      ("https://push.example.net:0/a", .malformed), ("https://push.example.net:/a", .malformed),
      ("https://push.example.net:65536/a", .malformed), ("https://push.example.net:+443/a", .malformed),
      ("https://127.0.0.1/a", .addressLiteral("127.0.0.1")),
      ("https://10.0.0.1/a", .addressLiteral("10.0.0.1")),
      ("https://8.8.8.8/a", .addressLiteral("8.8.8.8")),
      ("https://2130706433/a", .addressLiteral("2130706433")),
      ("https://0x7f000001/a", .addressLiteral("0x7f000001")),
      ("https://0X7F.1/a", .addressLiteral("0x7f.1")),
      ("https://0177.0.0.01/a", .addressLiteral("0177.0.0.01")),
      ("https://127.1/a", .addressLiteral("127.1")),
      ("https://push.0x/a", .addressLiteral("push.0x")), ("https://[::1]/a", .addressLiteral("[::1]")),
      ("https://[::ffff:127.0.0.1]/a", .addressLiteral("[::ffff:127.0.0.1]")),
      ("https://[fe80::1%25eth0]/a", .malformed),
      ("https://localhost/a", .localName("localhost")), ("https://LOCALHOST/a", .localName("localhost")),
      ("https://a.localhost/a", .localName("a.localhost")), ("https://router/a", .localName("router")),
      ("https://printer.local/a", .localName("printer.local")),
      ("https://nas.home.arpa/a", .localName("nas.home.arpa")),
      ("https://metadata.google.internal/a", .localName("metadata.google.internal")),
      ("https://push.example.net./a", .localName("push.example.net.")),
      ("https://.example.net/a", .localName(".example.net")),
      ("https://-a.example.net/a", .localName("-a.example.net")),
      ("https://push.example.net/" + String(repeating: "a", count: 2100), .malformed),
    ] as [(String, EndpointRejection)]
  )
  func `of any other form is rejected`(text: String, rejection: EndpointRejection) {
    #expect(throws: rejection) { try PushEndpoint(text) }
  }

  @Test func `may be anywhere if the operator trusts it, but only there`() throws {
    let trusted = Set([try #require(PushEndpoint.Origin("http://10.0.0.7:8080"))])
    #expect(
      try PushEndpoint("http://10.0.0.7:8080/a", trusting: trusted).description == "http://10.0.0.7:8080/a"
    )
    for other in [
      "http://10.0.0.7:8081/a", "http://10.0.0.7/a", "https://10.0.0.7:8080/a", "http://10.0.0.8:8080/a",
    ] {
      #expect(throws: EndpointRejection.self, "\(other)") { try PushEndpoint(other, trusting: trusted) }
    }
  }

  @Test(arguments: EndpointRejection.samples)
  func `is rejected with a sentence`(rejection: EndpointRejection) {
    #expect(rejection.description.hasSuffix("."))
    #expect(rejection.description.first?.isUppercase == true || rejection.description.contains("router"))
  }
}

extension EndpointRejection {
  fileprivate static var samples: [EndpointRejection] {
    [
      .malformed, .notEncrypted, .userInformation, .port(22), .addressLiteral("::1"), .localName("router"),
      .unknownHost("a.net"), .privateAddress(host: "a.net", address: "::1"),
    ]
  }
}

struct NetworkAddressTests {
  @Test(arguments: [
    "1.1.1.1", "8.8.8.8", "142.250.1.188", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0",
    "192.167.255.255", "198.17.255.255", "223.255.255.255", "2606:4700::1111", "2a00:1450:4001::5",
    "64:ff9b::8.8.8.8",
  ])
  func `of the internet is public`(text: String) throws {
    #expect(try #require(NetworkAddress(text)).isPublic)
  }

  @Test(arguments: [
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1",
    "127.255.0.1",
    "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.1.1",
    "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255", "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:8.8.8.8",
    "fe80::1", "febf::1", "fec0::1", "fc00::1", "fd12:3456::1", "ff02::1", "100::1", "2001::1", "2001:10::1",
    "2001:db8::1", "2002:7f00:1::1", "2002:a00:1::1", "3fff::1", "64:ff9b::127.0.0.1", "64:ff9b::a00:1",
    "64:ff9b:1::1", "4000::1",
  ])
  func `of any other kind is not public`(text: String) throws {
    #expect(!(try #require(NetworkAddress(text)).isPublic))
  }

  @Test(arguments: ["127.1", "0x7f.0.0.1", "2130706433", "localhost", "", "1.2.3.4.5", "::g"])
  func `is parsed only in its canonical spelling`(text: String) {
    #expect(NetworkAddress(text) == nil)
  }

  /// glibc resolves all these to the loopback address; the check looks at the resolved address, not at the
  /// spelling.
  @Test(arguments: ["127.1", "0x7f000001", "2130706433", "017700000001", "localhost"])
  func `is checked after resolving the host`(host: String) async {
    let found = await HostResolver.system().addresses(host)
    #expect(found.allSatisfy { !$0.isPublic })
  }
}
