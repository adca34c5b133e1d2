// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import LongboxReaders
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import LongboxServer

@Suite struct `What proxies say` {
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
    ] as [(String, String, String, String, Flood?)]
  )
  func `bring the base path back that they have removed`(
    name: String,
    prefix: String,
    path: String,
    restored: String,
    problem: Flood?
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

  @Test func `name a path that is not the base path`() {
    var head = Self.head(["X-Ingress-Path": "/api/hassio_ingress/abc"])
    #expect(
      Self.forwarding(["10.0.0.1"]).apply(to: &head, from: IPAddress(text: "10.0.0.1")) == .unknownPrefix
    )
    #expect(head.path == "/" && head.removedPrefix == "/api/hassio_ingress/abc")
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
    problem: Flood? = nil,
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
    let problem: Flood? = fields.first?.key == "Longbox-Client" ? nil : .unlistedProxy
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
    let floods = FloodLog(logger: recorder.logger)
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(ForwardingHandler(Self.forwarding(["192.0.2.9"]), floods: floods))
    try pipeline.addHandler(
      RequestGuard(
        addressLimit: 100,
        hosts: HostNames { ["longbox.example"] },
        peer: .unknown,
        floods: floods,
        earlierRequests: { 0 },
        bodyLimit: { _ in 0 }
      )
    )
    func send(_ fields: KeyValuePairs<String, String>) throws -> HTTPRequest? {
      try channel.writeInbound(HTTPRequestPart.head(Self.head(fields)))
      guard case .head(let head) = try channel.readInbound(as: HTTPRequestPart.self) else { return nil }
      return head
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
    problem: Flood? = nil,
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
