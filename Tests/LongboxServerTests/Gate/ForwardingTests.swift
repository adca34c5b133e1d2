// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import LongboxReaders
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import LongboxServer

@Suite("What proxies say") struct ForwardingTests {
  /// What the application sees of a request.
  private struct Seen: Equatable {
    var client: String?
    var scheme: String? = "http"
    var host: String? = "longbox.example"
  }

  private static func forwarding(_ proxies: [String], isLoopback: Bool = false) -> Forwarding {
    var trusted = TrustedProxies()
    for proxy in proxies {
      let isAdded = trusted.add(proxy)
      #expect(isAdded)
    }
    return Forwarding(trusted, isLoopback: isLoopback)
  }

  @Test(
    arguments: [
      ("X-Forwarded-Prefix", "/longbox", "/353/?a=b", "/longbox/353/?a=b", nil),
      ("X-Forwarded-Prefix", "/longbox/", "/", "/longbox/", nil),
      ("X-Ingress-Path", "/longbox", "/sw.js", "/longbox/sw.js", nil),
      ("X-Forwarded-Prefix", "/longbox", "/longbox/353/", "/longbox/353/", nil),
      ("X-Forwarded-Prefix", "/longbox", "/longbox", "/longbox", nil),
      ("X-Forwarded-Prefix", "/", "/353/", "/353/", nil), ("X-Forwarded-Prefix", "", "/353/", "/353/", nil),
      ("X-Forwarded-Prefix", "/other", "/353/", "/353/", .unknownPrefix),
      ("X-Forwarded-Prefix", "/longbox, /longbox", "/353/", "/353/", .unknownPrefix),
      ("X-Forwarded-Prefix", "<b>", "/353/", "/353/", .unknownPrefix),
    ] as [(String, String, String, String, Incident?)]
  )
  func `bring the base path back that they have removed`(
    name: String,
    prefix: String,
    path: String,
    restored: String,
    problem: Incident?
  ) throws {
    var trusted = TrustedProxies()
    let isAdded = trusted.add("10.0.0.1")
    #expect(isAdded)
    let basePath = try #require(BasePath("/longbox"))
    let forwarding = Forwarding(trusted, isLoopback: false, basePath: basePath)
    for peer in ["10.0.0.1", "10.0.0.2"] {
      var head = Self.head([name: prefix])
      head.path = path
      let found = forwarding.apply(to: &head, from: IPAddress(text: peer))
      // Anybody else can send these fields, too.
      #expect(found == (peer == "10.0.0.1" ? problem : nil))
      #expect(head.path == (peer == "10.0.0.1" ? restored : path))
    }
  }

  @Test func `name a base path if the settings have none`() {
    for peer in ["10.0.0.1", "10.0.0.2"] {
      var head = Self.head(["X-Ingress-Path": "/api/hassio_ingress/abc", "Longbox-Base-Path": "/forged"])
      #expect(Self.forwarding(["10.0.0.1"]).apply(to: &head, from: IPAddress(text: peer)) == nil)
      #expect(head.path == "/")
      #expect(head.namedBasePath?.text == (peer == "10.0.0.1" ? "/api/hassio_ingress/abc" : nil))
    }
  }

  @Test(arguments: ["/longbox, /longbox", "<b>", "longbox", "/a/../b"])
  func `name a path that can be no base path`(prefix: String) {
    var head = Self.head(["X-Forwarded-Prefix": prefix])
    #expect(
      Self.forwarding(["10.0.0.1"]).apply(to: &head, from: IPAddress(text: "10.0.0.1")) == .unknownPrefix
    )
    #expect(head.namedBasePath == nil && head.removedPrefix == prefix)
  }

  private static func head(_ fields: KeyValuePairs<String, String>) -> HTTPRequest {
    var headers = HTTPFields()
    for (name, value) in fields { headers.append(HTTPField(name: .named(name), value: value)) }
    return HTTPRequest(
      method: .get,
      scheme: "http",
      authority: "longbox.example",
      path: "/",
      headerFields: headers
    )
  }

  private func seen(
    _ fields: KeyValuePairs<String, String>,
    from peer: String = "10.0.0.1",
    by proxies: [String] = ["10.0.0.0/24"],
    problem: Incident? = nil,
    _ place: SourceLocation = #_sourceLocation
  ) -> Seen {
    var head = Self.head(fields)
    let found = Self.forwarding(proxies).apply(to: &head, from: IPAddress(text: peer))
    #expect(found == problem, sourceLocation: place)
    return Seen(client: head.forwardedClient?.description, scheme: head.scheme, host: head.authority)
  }

  @Test(
    arguments: [
      ["X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "a.example"],
      ["Forwarded": "for=192.0.2.1;proto=https;host=a.example"], ["Longbox-Client": "192.0.2.1"],
    ] as [KeyValuePairs<String, String>]
  )
  func `changes nothing if they are not listed`(fields: KeyValuePairs<String, String>) {
    let problem: Incident? = fields.first?.key == "Longbox-Client" ? nil : .unlistedProxy
    for peer in ["192.0.2.9", "127.0.0.1", "::1", "10.0.1.1"] {
      #expect(seen(fields, from: peer, problem: problem) == Seen(), "\(peer)")
      #expect(seen(fields, from: peer, by: [], problem: problem) == Seen(), "\(peer)")
    }
    var head = Self.head(fields)
    _ = Self.forwarding([]).apply(to: &head, from: nil)
    #expect(head.forwardedClient == nil && head.scheme == "http")
    // The gate still sees that somebody passed the request on.
    #expect(RequestKind.isForwarded(head) == (problem != nil))
  }

  @Test func `counts if they are listed`() {
    #expect(seen([:]) == Seen(client: "10.0.0.1"))
    #expect(
      seen(["X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "a.example:81"])
        == Seen(client: "192.0.2.1", scheme: "https", host: "a.example:81")
    )
    #expect(
      seen(["Forwarded": "for=\"[2001:db8::1]:1\";proto=https;host=a.example"])
        == Seen(client: "2001:db8::1", scheme: "https", host: "a.example")
    )
    #expect(seen(["X-Forwarded-Proto": "https"]) == Seen(client: "10.0.0.1", scheme: "https"))
    #expect(seen(["Longbox-Client": "192.0.2.1"]) == Seen(client: "10.0.0.1"))
  }

  @Test func `counts from the right, so that a client can't choose its address`() {
    #expect(seen(["X-Forwarded-For": "198.51.100.1, 192.0.2.1"]) == Seen(client: "192.0.2.1"))
    #expect(
      seen(["X-Forwarded-For": "198.51.100.1", "x-forwarded-for": "192.0.2.1"]) == Seen(client: "192.0.2.1")
    )
    #expect(seen(["X-Forwarded-For": "10.0.0.7, 192.0.2.1"]) == Seen(client: "192.0.2.1"))
    #expect(
      seen(["Forwarded": "for=198.51.100.1;proto=https", "forwarded": "for=192.0.2.1;proto=http"])
        == Seen(client: "192.0.2.1")
    )
  }

  @Test func `skips further listed proxies`() {
    #expect(
      seen(["X-Forwarded-For": "198.51.100.1, 192.0.2.1, 10.0.0.2", "X-Forwarded-Proto": "https"])
        == Seen(client: "192.0.2.1", scheme: "https")
    )
    #expect(
      seen(["X-Forwarded-For": "192.0.2.1, 10.0.0.2", "X-Forwarded-Proto": "https, http"])
        == Seen(client: "192.0.2.1", scheme: "https")
    )
    #expect(
      seen(["Forwarded": "for=192.0.2.1;proto=https;host=a.example, for=10.0.0.2;proto=http;host=inner"])
        == Seen(client: "192.0.2.1", scheme: "https", host: "a.example")
    )
    // An inner client behind listed proxies only.
    #expect(seen(["X-Forwarded-For": "10.0.0.3, 10.0.0.2"]) == Seen(client: "10.0.0.3"))
  }

  @Test func `is ignored where it is malformed`() {
    #expect(seen(["X-Forwarded-For": "192.0.2.1, x"]) == Seen(client: "10.0.0.1"))
    #expect(seen(["X-Forwarded-For": "192.0.2.1, x, 10.0.0.2"]) == Seen(client: "10.0.0.2"))
    #expect(
      seen(["X-Forwarded-For": "", "X-Forwarded-Proto": "javascript", "X-Forwarded-Host": "a b"])
        == Seen(client: "10.0.0.1")
    )
    #expect(
      seen(["Forwarded": "for=\"x", "forwarded": "for=192.0.2.1;proto=https"], problem: .unclearForwarding)
        == Seen(client: "10.0.0.1")
    )
  }

  @Test func `is ignored if the two kinds of fields contradict each other`() {
    #expect(
      seen(
        ["Forwarded": "for=198.51.100.1", "X-Forwarded-For": "192.0.2.1"],
        problem: .unclearForwarding
      ) == Seen(client: "10.0.0.1")
    )
    #expect(
      seen([
        "Forwarded": "for=192.0.2.1;proto=https", "X-Forwarded-For": "192.0.2.1",
        "X-Forwarded-Proto": "https",
      ])
        == Seen(client: "192.0.2.1", scheme: "https")
    )
  }

  @Test func `tells the scheme without a list, where only this machine can connect`() {
    func scheme(_ value: String, from peer: String, isLoopback: Bool = true, _ proxies: [String] = [])
      -> String?
    {
      var head = Self.head([
        "X-Forwarded-Proto": value, "X-Forwarded-For": "192.0.2.1", "X-Forwarded-Host": "a",
      ])
      _ = Self.forwarding(proxies, isLoopback: isLoopback).apply(to: &head, from: IPAddress(text: peer))
      #expect(head.forwardedClient == nil && head.authority == "longbox.example")
      return head.scheme
    }
    #expect(scheme("https", from: "127.0.0.1") == "https")
    #expect(scheme("https", from: "::1") == "https")
    #expect(scheme("x", from: "127.0.0.1") == "http")
    #expect(scheme("https", from: "127.0.0.1", isLoopback: false) == "http")
    #expect(scheme("https", from: "192.0.2.9") == "http")
    #expect(scheme("https", from: "127.0.0.1", ["10.0.0.1"]) == "http", "the list counts alone")
  }

  @Test func `comes before the check of the host, for each request, and is logged once`() throws {
    let channel = EmbeddedChannel()
    try channel.connect(to: SocketAddress(ipAddress: "192.0.2.9", port: 1)).wait()
    let recorder = LogRecorder()
    let incidents = IncidentLog(logger: recorder.logger)
    let pipeline = channel.pipeline.syncOperations
    let gate = RequestGate(
      forwarding: Self.forwarding(["192.0.2.9"]),
      basePath: BasePath(),
      hosts: HostNames { ["longbox.example"] },
      addressLimit: 100,
      endpoints: EndpointTable([], incidents: incidents)
    )
    try pipeline.addHandler(RequestGateHandler(gate))
    try pipeline.addHandler(RequestGuard(incidents: incidents) { 0 })
    func send(_ fields: KeyValuePairs<String, String>) throws -> HTTPRequest? {
      try channel.writeInbound(HTTPRequestPart.head(Self.head(fields)))
      guard case .head(let request) = try channel.readInbound(as: IncomingPart.self) else { return nil }
      return request.head
    }
    #expect(try send(["X-Forwarded-Proto": "https"])?.scheme == "https")
    #expect(try send([:])?.scheme == "http")
    for _ in 0..<3 {
      #expect(try send(["Forwarded": "x", "X-Forwarded-Proto": "https"])?.scheme == "http")
    }
    #expect(recorder.lines.map(\.last) == ["192.0.2.9"])
    #expect(recorder.lines.first?.text.contains("Forwarded") == true)
    #expect(try send(["X-Forwarded-Host": "evil.example"]) == nil, "a foreign name is refused")
    _ = try channel.finish(acceptAlreadyClosed: true)
  }

  // Readers whom a proxy has signed in

  private func isSignedIn(
    _ fields: KeyValuePairs<String, String>,
    from peer: String = "10.0.0.1",
    problem: Incident? = nil,
    field: String? = "Remote-User",
    _ place: SourceLocation = #_sourceLocation
  ) -> Bool {
    var trusted = TrustedProxies()
    let isAdded = trusted.add("10.0.0.0/24")
    #expect(isAdded)
    var head = Self.head(fields)
    let forwarding = Forwarding(trusted, isLoopback: false, user: field.flatMap { RemoteUserField($0) })
    #expect(forwarding.apply(to: &head, from: IPAddress(text: peer)) == problem, sourceLocation: place)
    return head.isSignedInByProxy
  }

  @Test func `signs a reader in only if they are listed`() {
    let fields: KeyValuePairs = ["remote-user": "ada"]
    #expect(isSignedIn(fields))
    #expect(!isSignedIn(fields, field: nil))
    for peer in ["192.0.2.9", "127.0.0.1", "10.0.1.1"] {
      #expect(!isSignedIn(fields, from: peer, problem: .unlistedUser), "\(peer)")
      #expect(!isSignedIn(["Longbox-User": "ada"], from: peer), "\(peer)")
    }
    #expect(!isSignedIn(["Longbox-User": "ada"]))
  }

  @Test func `signs no reader in without a clear name`() {
    #expect(!isSignedIn([:]))
    #expect(!isSignedIn(["Remote-User": ""]))
    #expect(!isSignedIn(["Remote-User": " "]))
    // The proxy added its own, but passed on what the client sent.
    #expect(!isSignedIn(["Remote-User": "eve", "Remote-User": "ada"]))
    #expect(!isSignedIn(["Remote-User": "ada", "Forwarded": "for="], problem: .unclearForwarding))
  }

  @Test(arguments: [
    "User-Agent", "cookie", "Host", "Accept-Language", "Sec-Fetch-Mode", "X-Forwarded-For", "a b", "",
  ])
  func `no field that others send signs in`(name: String) {
    #expect(RemoteUserField(name) == nil)
  }
}

@Suite("Forwarded header fields") struct ForwardedHopTests {
  private func hop(_ client: String?, _ scheme: String? = nil, _ host: String? = nil) -> ForwardedHop {
    ForwardedHop(client: client.flatMap { IPAddress(text: $0) }, scheme: scheme, host: host)
  }

  @Test func `are read as RFC 7239 says`() {
    #expect(ForwardedHop.standard("for=192.0.2.60;proto=http;by=203.0.113.43") == [hop("192.0.2.60", "http")])
    #expect(
      ForwardedHop.standard(
        "for=192.0.2.43, For=\"[2001:db8:cafe::17]:4711\" ; PROTO=HTTPS;host=a.example:80"
      )
        == [hop("192.0.2.43"), hop("2001:db8:cafe::17", "https", "a.example:80")]
    )
    #expect(ForwardedHop.standard("for=\"_mdn\",for=unknown;proto=ftp") == [hop(nil), hop(nil)])
    #expect(ForwardedHop.standard("for=\"192.0.2\\.1\";x=\"a;,b\"") == [hop("192.0.2.1")])
  }

  @Test(arguments: [
    "", ",", "for", "for=", "=1", "for=192.0.2.1,", "for=192.0.2.1;", "for=\"192.0.2.1", "for=\"192.0.2.1\\",
    "for=192.0.2.1;for=192.0.2.2", "for= 192.0.2.1", "for=[2001:db8::1]", "for=\"x, for=192.0.2.1",
    "for=\"x, for=\"[2001:db8::1]\"", "for=192.0.2.1 proto=https", "for=\"a\"b",
  ])
  func `are malformed as a whole`(field: String) {
    #expect(ForwardedHop.standard(field) == nil)
  }

  @Test func `of the usual kind are lists`() {
    #expect(
      ForwardedHop.common(clients: " 192.0.2.1 ,\t10.0.0.1", schemes: "https", hosts: nil)
        == [hop("192.0.2.1", "https"), hop("10.0.0.1", "https")]
    )
    #expect(
      ForwardedHop.common(clients: "192.0.2.1, 10.0.0.1", schemes: "HTTPS, http", hosts: "a, b, c")
        == [hop("192.0.2.1", "https", "c"), hop("10.0.0.1", "http", "c")]
    )
    #expect(ForwardedHop.common(clients: nil, schemes: "http, https", hosts: "a/b") == [hop(nil, "https")])
    #expect(ForwardedHop.common(clients: "x,,", schemes: "wss", hosts: "") == [hop(nil), hop(nil), hop(nil)])
  }

  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1"), ("192.0.2.1:1234", "192.0.2.1"), ("2001:db8::1", "2001:db8::1"),
    ("[2001:db8::1]", "2001:db8::1"), ("[2001:db8::1]:80", "2001:db8::1"), ("::ffff:192.0.2.1", "192.0.2.1"),
    ("", nil), ("unknown", nil), ("192.0.2.1:", nil), ("192.0.2.1:x", nil), ("[2001:db8::1", nil),
    ("[2001:db8::1]x", nil), ("a.example", nil), ("192.0.2.1 ", nil), ("1.2.3", nil), ("\u{661}.1.1.1", nil),
  ])
  func `have addresses with and without ports`(text: String, address: String?) {
    #expect(ForwardedHop.address(text)?.description == address)
  }
}

@Suite("Trusted proxies") struct TrustedProxiesTests {
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
