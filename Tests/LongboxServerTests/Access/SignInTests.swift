// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import Logging
import LongboxCore
import LongboxReaders
import LongboxStore
import NIOCore
import Testing
import TestSupport

@testable import LongboxServer

@Suite("Signing in") struct SignInTests {
  private static let passphrase = "correct horse battery"
  private static let page: HTTPFields = [.accept: "text/html"]

  /// Runs a test with a server on which everybody signs in.
  private func withSignIn(
    trusting proxies: TrustedProxies = TrustedProxies(),
    storage: StorageLimits = .spacious,
    remoteUser: RemoteUserField? = nil,
    logger: Logger = .silent,
    _ test: @Sendable (ServerBench, AccessControl) async throws -> Void
  ) async throws {
    let time = SettableTime()
    let made = Made()
    try await withServer(
      time: time,
      storage: storage,
      network: { store in
        let access = AccessControl(store: store, logger: logger, now: { time.now })
        try await access.setPassphrase(Self.passphrase)
        await made.set(access)
        return NetworkAccess(gate: AccessGate(mode: .signIn, access: access))
      },
      trusting: proxies,
      remoteUser: remoteUser,
      logger: logger,
      { bench in try await test(bench, try #require(await made.access)) }
    )
  }

  private actor Made {
    var access: AccessControl?
    func set(_ access: AccessControl) { self.access = access }
  }

  private func signIn(_ browser: inout Browser, _ passphrase: String, to: String = "/353/") async throws -> (
    status: HTTPResponse.Status, location: String?, cookie: String?, text: String, retry: String?
  ) {
    let words = passphrase.replacingOccurrences(of: " ", with: "+")
    let answer = try await browser.send("/sign-in", "passphrase=\(words)&to=\(to)")
    return (
      answer.status, answer.headers[.location], answer.headers[.setCookie], answer.text,
      answer.headers[.retryAfter]
    )
  }

  @Test func `keeps what readers see out of the caches of proxies`() async throws {
    try await withSignIn { bench, _ in
      var browser = Browser(bench: bench)
      _ = try await signIn(&browser, Self.passphrase)
      let session = try #require(browser.cookie)
      for endpoint in bench.endpoints.exactEndpoints where endpoint.method == .get {
        let path = "/" + endpoint.path.replacing("{number}", with: "3").replacing("{name}", with: "style.css")
        let isOpen = RequestKind.isOpen(path[...])
        for address in [path, path + "?v=1"] {
          let caching = try await browser.get(address).headers[.cacheControl] ?? ""
          let isPrivate = caching.contains("private") || caching.contains("no-store")
          #expect(!isPrivate || !caching.contains("public"), "\(address): \(caching)")
          #expect(isPrivate || isOpen, "\(address): \(caching)")
          let request = HTTPRequest(
            method: .get,
            scheme: "http",
            authority: "localhost",
            path: address,
            headerFields: [.cookie: session]
          )
          let incoming = IncomingRequest(request, in: bench.endpoints)
          guard let response = bench.endpoints.cachedResponse(to: incoming) else { continue }
          #expect(response.head.headerFields[.cacheControl] == caching, "\(address) from memory")
        }
      }
      #expect(try await browser.get("/comics/3/image").headers[.cacheControl] == "private, max-age=300")
      #expect(try await browser.get("/3/").headers[.cacheControl]?.hasPrefix("private") == true)
    }
  }

  @Test(arguments: [
    (nil, "private"), ("public, max-age=300", "private, max-age=300"), ("no-cache", "private, no-cache"),
    ("max-age=5,public", "private, max-age=5"), ("no-store", "no-store"),
    ("private, no-cache", "private, no-cache"),
  ])
  func `makes a rule for caches private`(before: String?, after: String) {
    var fields = HTTPFields()
    fields[.cacheControl] = before
    fields.keepFromSharedCaches()
    #expect(fields[.cacheControl] == after)
  }

  @Test func `lets a device store a large library on its first day`() async throws {
    try await withSignIn(storage: StorageLimits()) { bench, _ in
      var device = SyncingDevice(bench, device: 1)
      _ = try await signIn(&device.browser, Self.passphrase)
      try device.fill("a")
      #expect(try await device.send().status == .ok)
    }
  }

  @Test func `lets a device store a large library on its first day behind a proxy that signs in, too`()
    async throws
  {
    try await withSignIn(
      trusting: .local,
      storage: StorageLimits(),
      remoteUser: RemoteUserField("Remote-User")
    ) { bench, _ in
      var device = SyncingDevice(bench, device: 1)
      device.browser.fieldsOfProxy = [.named("Remote-User"): "ada"]
      try device.fill("a")
      #expect(try await device.send().status == .ok)
    }
  }

  @Test func `opens frames and pictures of a size to an access key in the address, until it is revoked`()
    async throws
  {
    try await withSignIn { bench, access in
      let key = try await access.makeKey(named: "Dashboard").text
      let frame = try await bench.get("/embed/3?key=\(key)", Self.page)
      #expect(frame.status == .ok && frame.headers[.cacheControl] == "private, no-cache")
      let source = try #require(frame.text.firstMatch(of: /src="([^"]+)"/))
      let picture = String(source.output.1).replacing("&amp;", with: "&")
      #expect(picture.hasPrefix("/comics/3/image?v=") && picture.hasSuffix("&key=\(key)"))
      #expect(frame.text.contains("href=\"/3/\""), "The link leads to Longbox without the key.")
      let open = [
        "/embed/latest?key=\(key)", "/embed/random?x=1&key=\(key)", picture, "/comics/3/image@2x?key=\(key)",
        "/latest.png?width=8&height=4&key=\(key)", "/random.png?key=\(key)",
      ]
      for path in open { #expect(try await bench.get(path).status.code != 401, "\(path)") }
      // The same key as a password, as programs send it.
      let fields: HTTPFields = [.authorization: "Bearer \(key)"]
      for path in ["/embed/3", "/latest.png"] { #expect(try await bench.get(path, fields).status == .ok) }
      // In an address it opens nothing else, and changes nothing.
      for path in [
        "/3/", "/", "/feed.atom", "/api/comics", "/settings", "/sync", "/opds", "/comics/3/thumbnail",
      ] {
        #expect(try await bench.get("\(path)?key=\(key)").status == .unauthorized, "\(path)")
      }
      #expect(try await bench.send(.post, "/embed/3?key=\(key)").status == .unauthorized)
      for query in [
        "", "?key=", "?key=\(AccessToken().text)", "?key=\(key)x", "?KEY=\(key)", "?key=%20\(key)",
      ] {
        let answer = try await bench.get("/embed/3\(query)", Self.page)
        #expect(answer.status == .unauthorized && answer.text.contains("?key=…"), "\(query)")
        #expect(try await bench.get("/latest.png\(query)").status == .unauthorized, "\(query)")
      }
      try await access.remove(try #require(access.credentials(.key).first).id)
      for path in open { #expect(try await bench.get(path).status == .unauthorized, "\(path)") }
    }
  }

  @Test func `leads a page to the sign-in page and back`() async throws {
    try await withSignIn { bench, _ in
      let stopped = try await bench.get("/3/?x=1", Self.page)
      #expect(stopped.status == .seeOther)
      #expect(stopped.headers[.location] == "/sign-in?to=%2F3%2F%3Fx%3D1")
      let form = try await bench.get("/sign-in?to=%2F3%2F%3Fx%3D1", Self.page)
      #expect(
        form.status == .ok && form.text.contains("Passphrase") && form.text.contains("value=\"/3/?x=1\"")
      )
      #expect(form.headers[.cacheControl] == "private, no-store")
      var browser = Browser(bench: bench)
      let answer = try await signIn(&browser, Self.passphrase, to: "/3/")
      #expect(answer.status == .seeOther && answer.location == "/3/")
      let cookie = try #require(answer.cookie)
      #expect(cookie.hasPrefix("longbox-session=") && cookie.contains("HttpOnly; SameSite=Lax"))
      #expect(cookie.contains("Max-Age=7776000"))
      #expect(try await browser.get("/3/").status == .ok)
      #expect(try await bench.get("/3/").status == .unauthorized)
    }
  }

  @Test func `says when the passphrase is wrong, and when to come back`() async throws {
    let recorder = LogRecorder()
    try await withSignIn(logger: recorder.logger) { bench, _ in
      var browser = Browser(bench: bench)
      for _ in 0..<Int(5) {
        let answer = try await signIn(&browser, "wrong words")
        #expect(answer.status == .unauthorized && answer.cookie == nil)
        #expect(answer.text.contains("That is not the passphrase"))
      }
      let answer = try await signIn(&browser, Self.passphrase)
      #expect(answer.status == .tooManyRequests && answer.retry == "30")
      _ = try await signIn(&browser, Self.passphrase)
      // One line each; the others are counted for the next one.
      let sentences = [Incident.wrongPassphrases, .tooManyPassphrases].map(\.sentence)
      #expect(recorder.lines.map(\.text) == sentences)
      #expect(
        try await browser.send("/sign-in", "passphrase=x", [:]).status == .forbidden,
        "another site’s form"
      )
    }
  }

  @Test(arguments: [true, false])
  func `marks the cookie for HTTPS behind a trusted proxy`(isTrusted: Bool) async throws {
    try await withSignIn(trusting: isTrusted ? .local : TrustedProxies()) { bench, _ in
      var browser = Browser(bench: bench)
      let words = Self.passphrase.replacingOccurrences(of: " ", with: "+")
      let fields: HTTPFields = [.origin: "https://localhost", .named("X-Forwarded-Proto"): "https"]
      let answer = try await browser.send("/sign-in", "passphrase=\(words)&to=/", fields)
      let cookie = try #require(answer.headers[.setCookie])
      #expect(cookie.hasPrefix("__Host-longbox-session=") == isTrusted)
      #expect(cookie.hasSuffix("; Secure") == isTrusted)
    }
  }

  @Test func `believes only a listed proxy about who signed in`() async throws {
    let field = RemoteUserField("Remote-User")
    let named: HTTPFields = [.accept: "text/html", .named("Remote-User"): "ada"]
    try await withSignIn(trusting: .local, remoteUser: field) { bench, _ async throws in
      #expect(try await bench.get("/1/", named).status == .ok)
      #expect(try await bench.get("/settings/devices", named).status == .ok)
      // There is nothing to sign in to.
      #expect(try await bench.get("/sign-in?to=/2/", named).headers[.location] == "/2/")
      #expect(try await bench.get("/1/", Self.page).status == .seeOther)
    }
    for (proxies, field) in [(TrustedProxies(), field), (.local, nil)] {
      try await withSignIn(trusting: proxies, remoteUser: field) { bench, _ async throws in
        #expect(try await bench.get("/1/", named).status == .seeOther)
        let own: HTTPFields = [.accept: "text/html", .named("Longbox-User"): "ada"]
        #expect(try await bench.get("/1/", own).status == .seeOther)
      }
    }
  }

  /// Guesses six times; the client itself sends another address first.
  private func guesses(from address: String, _ bench: ServerBench) async throws -> [Int] {
    var browser = Browser(bench: bench)
    var statuses: [Int] = []
    for number in 1...6 {
      // What the client itself sends comes first.
      let fields: HTTPFields = [
        .origin: "http://localhost", .named("X-Forwarded-For"): "198.51.100.\(number), \(address)",
      ]
      statuses.append(try await browser.send("/sign-in", "passphrase=wrong", fields).status.code)
    }
    return statuses
  }

  @Test func `counts wrong passphrases by the client that a trusted proxy names`() async throws {
    let five = [401, 401, 401, 401, 401]
    try await withSignIn(trusting: .local) { bench, _ async throws in
      #expect(try await guesses(from: "203.0.113.1", bench) == five + [429])
      #expect(try await guesses(from: "203.0.113.2", bench) == five + [429])
    }
    try await withSignIn { bench, _ async throws in
      #expect(try await guesses(from: "203.0.113.1", bench) == five + [429])
      #expect(try await guesses(from: "203.0.113.2", bench) == [Int](repeating: 429, count: 6))
    }
  }

  @Test func `asks programs for a key, and answers them with one`() async throws {
    try await withSignIn { bench, access in
      let stopped = try await bench.get("/feed.atom")
      #expect(stopped.status == .unauthorized)
      #expect(stopped.headers[.wwwAuthenticate]?.hasPrefix("Basic") == true)
      #expect(try await bench.get("/comics/1/image").headers[.wwwAuthenticate] == nil)
      let key = try await access.makeKey(named: "Reader")
      #expect(try await bench.get("/feed.atom", [.authorization: "Bearer \(key.text)"]).status == .ok)
      #expect(try await bench.get("/", [.authorization: "Bearer \(key.text)"]).status == .unauthorized)
    }
  }

  @Test func `lists devices, signs them out, makes keys and codes`() async throws {
    try await withSignIn { bench, access in
      var one = Browser(bench: bench)
      var other = Browser(bench: bench)
      _ = try await signIn(&one, Self.passphrase)
      _ = try await signIn(&other, Self.passphrase)
      let page = try await one.get("/settings/devices")
      #expect(
        page.status == .ok && page.text.contains("This device") && page.text.contains("Sign out all others")
      )
      #expect(try await one.get("/settings").text.contains("Devices and access keys"))
      let made = try await one.send("/settings/devices", "do=make-key&name=E-reader")
      #expect(made.text.contains("id=\"new-key\"") && made.text.contains("E-reader"))
      let code = try await one.send("/settings/devices", "do=connect")
      #expect(code.text.contains("/sign-in#code="))
      #expect(try await one.send("/settings/devices", "do=sign-out-others").status == .seeOther)
      #expect(try await other.get("/3/").status == .unauthorized)
      #expect(try await one.get("/3/").status == .ok)
      let own = try #require(access.credentials(.session).first).id
      #expect(
        try await one.send("/settings/devices", "do=sign-out&id=\(own)").headers[.location] == "/sign-in"
      )
      #expect(try await one.get("/3/").status == .unauthorized)
    }
  }

  @Test func `renews the cookie of a device that is in use`() async throws {
    let time = SettableTime()
    let made = Made()
    try await withServer(
      time: time,
      network: { store in
        let access = AccessControl(store: store, logger: .silent, now: { time.now })
        try await access.setPassphrase(Self.passphrase)
        await made.set(access)
        return NetworkAccess(gate: AccessGate(mode: .signIn, access: access))
      },
      { bench in
        var browser = Browser(bench: bench)
        _ = try await signIn(&browser, Self.passphrase)
        #expect(try await browser.get("/3/").headers[.setCookie] == nil)
        time.advance(by: 25 * 3600)
        #expect(try await browser.get("/3/").headers[.setCookie]?.hasPrefix("longbox-session=") == true)
        #expect(try await browser.get("/3/").headers[.setCookie] == nil)
      }
    )
  }
}

extension TrustedProxies {
  /// A proxy on this machine.
  static var local: TrustedProxies {
    var proxies = TrustedProxies()
    _ = proxies.add("127.0.0.1")
    return proxies
  }
}
