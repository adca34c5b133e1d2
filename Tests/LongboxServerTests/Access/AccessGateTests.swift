// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Logging
import LongboxPages
import LongboxReaders
import LongboxStore
import NIOCore
import Testing
import TestSupport

@testable import LongboxServer

@Suite("The access gate") struct AccessGateTests {
  private let folder = TemporaryFolder()

  private func gate(_ mode: AccessGate.Mode = .signIn, hasTLS: Bool = false) async throws -> AccessGate {
    var gate = AccessGate(mode: mode, hasTLS: hasTLS, allowedHosts: HostNames { ["nas.local"] })
    if mode == .signIn {
      gate.access = AccessControl(store: try Store.open(folder.url), logger: Logger(label: "test"))
    }
    return gate
  }

  private func peer(_ address: String) throws -> ClientAddress {
    ClientAddress(try SocketAddress(ipAddress: address, port: 1))
  }

  private func request(
    _ path: String = "/353/",
    host: String? = "192.168.1.5:8353",
    scheme: String = "http",
    method: HTTPRequest.Method = .get,
    _ fields: [String: String] = [:]
  ) -> HTTPRequest {
    var headers = HTTPFields()
    for (name, value) in fields { headers[.named(name)] = value }
    return HTTPRequest(method: method, scheme: scheme, authority: host, path: path, headerFields: headers)
  }

  @Test func `lets everybody in where only this machine can reach the server`() async throws {
    let gate = try await gate(.loopback)
    #expect(gate.decision(on: request(), from: try peer("192.168.1.9")) == .admitted(nil))
  }

  @Test(arguments: ["127.0.0.1", "127.0.0.9", "::1", "::ffff:127.0.0.1"])
  func `asks requests from this machine to sign in, too, since a proxy there looks the same`(address: String)
    async throws
  {
    let gate = try await gate()
    let here = try peer(address)
    let stopped = AccessGate.Decision.signIn(isPage: false, asksForKey: false)
    for host in [
      "127.0.0.1:8353", "localhost:8353", "[::1]:8353", "a.localhost", "192.168.1.5:8353", "evil.example",
      "127.0.0.2:8353", nil,
    ] {
      #expect(gate.decision(on: request(host: host), from: here) == stopped, "\(host ?? "none")")
    }
    for name in ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via"]
    {
      let passedOn = request(host: "localhost:8353", [name: "x"])
      #expect(gate.decision(on: passedOn, from: here) == stopped, "\(name)")
    }
  }

  @Test func `admits a request with the key that only this machine’s user can read`() async throws {
    var gate = try await gate()
    let key = AccessToken()
    gate.machineKey = AccessToken.hash(of: key.text)
    let here = try peer("127.0.0.1")
    let stopped = AccessGate.Decision.signIn(isPage: false, asksForKey: false)
    #expect(
      gate.decision(on: request("/353/", [MachineKeyField.name: key.text]), from: here) == .admitted(nil)
    )
    for wrong in ["", "x", AccessToken().text, key.text + "A"] {
      #expect(
        gate.decision(on: request("/353/", [MachineKeyField.name: wrong]), from: here) == stopped,
        "\(wrong)"
      )
    }
    gate.machineKey = nil
    #expect(gate.decision(on: request("/353/", [MachineKeyField.name: key.text]), from: here) == stopped)
  }

  @Test func `shows the sign-in page without encryption to this machine’s browser alone`()
    async throws
  {
    let gate = try await gate(hasTLS: true)
    let page = request("/353/", host: "127.0.0.1:8353", ["Accept": "text/html"])
    #expect(gate.decision(on: page, from: try peer("127.0.0.1")) == .signIn(isPage: true, asksForKey: false))
    #expect(
      gate.decision(on: page, from: try peer("192.168.1.9")) == .redirected("https://127.0.0.1:8353/353/")
    )
  }

  @Test(arguments: ["192.168.1.9", "10.0.0.1", "fe80::1", "2001:db8::1", "::ffff:192.168.1.9"])
  func `asks all others to sign in`(address: String) async throws {
    let gate = try await gate()
    let stranger = try peer(address)
    let stopped = AccessGate.Decision.signIn(isPage: false, asksForKey: false)
    for path in [
      "/", "/353/", "/comics/1/image", "/sync", "/archive", "/device.json", "/settings/devices", "/sw.js",
    ] {
      for host in ["192.168.1.5:8353", "localhost:8353"] {
        #expect(gate.decision(on: request(path, host: host), from: stranger) == stopped, "\(path)")
      }
    }
    for path in [
      "/sign-in", "/sign-in?to=/", "/start", "/ca.crt", "/healthz", "/ready", "/assets/style.css?v=1",
    ] {
      #expect(gate.decision(on: request(path), from: stranger) == .admitted(nil), "\(path)")
    }
    for path in ["/assets/../353/", "/assets/a/b", "/healthz/x", "//start"] {
      #expect(gate.decision(on: request(path), from: stranger) == stopped, "\(path)")
    }
    #expect(gate.decision(on: request(), from: .unknown) == stopped, "unknown addresses are strangers")
  }

  @Test func `leads pages to the sign-in page, and asks programs for a key`() async throws {
    let gate = try await gate()
    let stranger = try peer("192.168.1.9")
    func decision(_ path: String, _ fields: [String: String]) -> AccessGate.Decision {
      gate.decision(on: request(path, fields), from: stranger)
    }
    #expect(decision("/353/", ["Sec-Fetch-Mode": "navigate"]) == .signIn(isPage: true, asksForKey: false))
    #expect(decision("/353/", ["Accept": "text/html"]) == .signIn(isPage: true, asksForKey: false))
    #expect(
      decision("/353/", ["Sec-Fetch-Mode": "cors", "Accept": "text/html"])
        == .signIn(isPage: false, asksForKey: false)
    )
    for path in ["/feed.atom", "/opds", "/api/comics", "/info.0.json", "/353/info.0.json", "/1/comic.cbz"] {
      #expect(decision(path, [:]) == .signIn(isPage: false, asksForKey: true), "\(path)")
      // Browsers would show a dialog.
      #expect(
        decision(path, ["Sec-Fetch-Mode": "cors"]) == .signIn(isPage: false, asksForKey: false),
        "\(path)"
      )
    }
  }

  @Test func `opens what programs read to a key, and nothing else`() async throws {
    let gate = try await gate()
    let access = try #require(gate.access)
    let key = try await access.makeKey(named: "Reader")
    let basic = "Basic " + Data("anybody:\(key.text)".utf8).base64EncodedString()
    let stranger = try peer("192.168.1.9")
    func isAdmitted(_ path: String, _ field: String, _ method: HTTPRequest.Method = .get) -> Bool {
      let decision = gate.decision(
        on: request(path, method: method, ["Authorization": field]),
        from: stranger
      )
      if case .admitted = decision { return true }
      return false
    }
    for path in ["/feed.atom", "/opds/latest", "/api/search?q=x", "/353/info.0.json", "/comics/353/image"] {
      #expect(isAdmitted(path, basic) && isAdmitted(path, "Bearer \(key.text)"), "\(path)")
      #expect(!isAdmitted(path, "Bearer \(AccessToken().text)"), "\(path)")
    }
    #expect(!isAdmitted("/api/push/subscriptions", basic, .post))
    for path in ["/settings/devices", "/", "/settings/export", "/device.json"] {
      #expect(!isAdmitted(path, basic), "\(path)")
    }
  }

  @Test func `shows only the start page and the authority without encryption`() async throws {
    let gate = try await gate(hasTLS: true)
    let stranger = try peer("192.168.1.9")
    func decision(_ request: HTTPRequest) -> AccessGate.Decision {
      gate.decision(on: request, from: stranger)
    }
    #expect(decision(request("/start")) == .admitted(nil))
    #expect(decision(request("/ca.crt")) == .admitted(nil))
    #expect(decision(request("/353/?a=b")) == .redirected("https://192.168.1.5:8353/353/?a=b"))
    #expect(decision(request("/", host: "nas.local:8353")) == .redirected("https://nas.local:8353/"))
    #expect(decision(request("/", host: "[fd00::1]:8353")) == .redirected("https://[fd00::1]:8353/"))
    for bad in [
      request("/", host: "evil.example:8353"), request("/start", host: "evil.example"),
      request("/", host: nil),
      request("/sign-in", method: .post), request("/feed.atom", ["Authorization": "Bearer x"]),
      request("/embed/latest?key=\(AccessToken().text)"),
    ] {
      guard case .refused = decision(bad) else {
        Issue.record("\(bad) was not refused")
        continue
      }
    }
    // By HTTPS it is as ever.
    #expect(decision(request("/healthz", scheme: "https")) == .admitted(nil))
    let open = try await self.gate(.open, hasTLS: true)
    #expect(open.decision(on: request(scheme: "https"), from: stranger) == .admitted(nil))
    #expect(open.decision(on: request(), from: stranger) == .redirected("https://192.168.1.5:8353/353/"))
  }

  @Test func `leads only to paths of this server`() {
    #expect(SignInController.target("/353/?a=b") == "/353/?a=b")
    for bad in [
      nil, "", "353", "//evil.example", "/\\evil.example", "https://evil.example", "/a b", "/sign-in?to=/",
    ] {
      #expect(SignInController.target(bad) == "/", "\(bad ?? "nil")")
    }
  }

  @Test func `names devices by what people recognize`() {
    let iPhone =
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1"
    #expect(BrowserName(iPhone) == BrowserName(iPhone) && BrowserName(iPhone).text == "Safari on iPhone")
    #expect(BrowserName(iPhone).platform == .apple)
    let firefox = BrowserName("Mozilla/5.0 (Android 15; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0")
    #expect(firefox.text == "Firefox on Android" && firefox.platform == .androidFirefox)
    #expect(BrowserName(nil).text == "A browser" && BrowserName("curl/8").platform == nil)
  }
}
