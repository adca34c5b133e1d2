// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HummingbirdTesting
import LongboxCatalog
import LongboxReaders
import NIOCore
import SwiftASN1
import Synchronization
import Testing
import TestSupport
import X509

@testable import LongboxServer

@Suite("A server with HTTPS", .timeLimit(.minutes(5))) struct SecureServerTests {
  /// The machine's names, which a test changes.
  private final class Names: Sendable {
    let names = Mutex(MachineNames(machine: "nas", names: ["nas.local"], addresses: [[127, 0, 0, 1]]))
    var current: MachineNames { names.withLock { $0 } }
  }

  private static func certificates(
    _ settings: TLSSettings,
    _ names: Names = Names(),
    at time: SettableTime
  ) throws -> Certificates {
    try Certificates(
      settings,
      names: [],
      machine: { names.current },
      now: { time.now },
      logger: .silent
    )
  }

  private func withServer(
    silence: Duration = .seconds(60),
    _ test: @Sendable (_ port: Int, _ authority: String, Certificates) async throws -> Void
  ) async throws {
    try await withCatalog(FakeXkcd(latest: 3)) { back in
      let folder = TemporaryFolder()
      // OpenSSL checks the dates by the real time.
      let certificates = try Certificates(
        .household(folder: folder.path("tls")),
        names: [],
        machine: { MachineNames(machine: "nas", names: ["nas.local"], addresses: [[127, 0, 0, 1]]) },
        now: { Date() },
        logger: .silent
      )
      let authority = try #require(certificates.authority)
      try folder.write(Array(authority.certificate.serializeAsPEM().pemString.utf8), to: "ca.pem")
      let access = AccessControl(store: back.store, logger: .silent)
      let gate = AccessGate(
        mode: .signIn,
        hasTLS: true,
        allowedHosts: HostNames { ["nas.local"] },
        access: access
      )
      var settings = ServerSettings(port: 0)
      settings.limits.headTime = silence
      settings.hostNames = ["nas.local"]
      let application = Server.application(
        catalog: back.catalog,
        store: back.store,
        settings: settings,
        network: NetworkAccess(gate: gate, certificates: certificates),
        now: { back.time.now },
        logger: .silent
      )
      try await application.test(.live) { client in
        try await test(try #require(client.port), folder.path("ca.pem").path, certificates)
      }
    }
  }

  private func ask(
    _ port: Int,
    _ authority: String,
    _ path: String,
    host: String = "nas.local",
    _ options: String...
  ) async throws
    -> Program.End
  {
    let words = [
      "openssl", "s_client", "-connect", "127.0.0.1:\(port)", "-CAfile", authority, "-verify_return_error",
      "-verify_hostname", host, "-quiet", "-alpn", "h2,http/1.1",
    ]
    let request = "GET \(path) HTTP/1.1\r\nhost: nas.local:\(port)\r\nconnection: close\r\n\r\n"
    return try await Program(words + options, input: Array(request.utf8)).end()
  }

  @Test func `speaks both protocols on one port`() async throws {
    try await withServer { port, authority, _ in
      let secure = try await ask(port, authority, "/healthz")
      #expect(secure.text.contains("HTTP/1.1 200 OK"), "\(secure.text)")
      let stopped = try await ask(port, authority, "/3/")
      #expect(stopped.text.contains("HTTP/1.1 401"), "\(stopped.text)")
      func plain(_ path: String, host: String) async throws -> RawResponse {
        try await RawExchange.send(
          "GET \(path) HTTP/1.1\r\nhost: \(host):\(port)\r\nconnection: close\r\n\r\n",
          port: port
        )
      }
      let led = try await plain("/3/", host: "nas.local")
      #expect(
        led.head.contains("307 Temporary Redirect") && led.head.contains("https://nas.local:\(port)/3/")
      )
      #expect(try await plain("/start", host: "nas.local").text.contains("Use Longbox on this device"))
      #expect(try await plain("/ca.crt", host: "nas.local").head.contains("application/x-x509-ca-cert"))
      #expect(try await plain("/3/", host: "evil.example").head.contains("421"))
      #expect(try await plain("/healthz", host: "localhost").head.contains("200 OK"), "this machine itself")
    }
  }

  @Test func `refuses a wrong name, old protocols and old ciphers`() async throws {
    try await withServer { port, authority, _ in
      let wrong = try await ask(port, authority, "/healthz", host: "other.local")
      #expect(wrong.text.contains("hostname mismatch") && !wrong.text.contains("200 OK"))
      let old = try await ask(port, authority, "/healthz", "-tls1_1")
      #expect(!old.text.contains("200 OK"))
      let fine = try await ask(port, authority, "/healthz", "-tls1_2")
      #expect(fine.text.contains("200 OK"))
      let unauthenticated = try await ask(
        port,
        authority,
        "/healthz",
        "-tls1_2",
        "-cipher",
        "AES128-SHA:ECDHE+SHA"
      )
      #expect(!unauthenticated.text.contains("200 OK"))
    }
  }

  @Test func `closes a connection that says nothing`() async throws {
    try await withServer(silence: .milliseconds(50)) { port, _, _ in
      let answer = try await RawExchange.send("", port: port)
      #expect(answer.bytes.readableBytes == 0)
    }
  }

  @Test func `makes another certificate when the machine's addresses change, and in time`() throws {
    let folder = TemporaryFolder()
    let (names, time) = (Names(), SettableTime())
    let certificates = try Self.certificates(.household(folder: folder.path("tls")), names, at: time)
    let first = ObjectIdentifier(certificates.context)
    #expect(!certificates.renewIfDue() && ObjectIdentifier(certificates.context) == first)
    names.names.withLock { $0.addresses.append([192, 168, 1, 7]) }
    #expect(certificates.renewIfDue() && ObjectIdentifier(certificates.context) != first)
    #expect(!certificates.renewIfDue())
    time.advance(by: 260 * 24 * 3600)
    #expect(!certificates.renewIfDue())
    time.advance(by: 6 * 24 * 3600)
    #expect(certificates.renewIfDue() && !certificates.renewIfDue())
  }

  @Test func `makes another certificate when the clock is set back to before its life`() throws {
    let folder = TemporaryFolder()
    let time = SettableTime()
    time.advance(by: 400 * 24 * 3600)
    let certificates = try Self.certificates(.household(folder: folder.path("tls")), at: time)
    #expect(!certificates.renewIfDue())
    time.advance(by: -3600)
    #expect(!certificates.renewIfDue(), "it is valid for a day before it was made")
    time.advance(by: -400 * 24 * 3600)
    #expect(certificates.renewIfDue() && !certificates.renewIfDue())
  }

  @Test func `reads the operator's files again when they change`() async throws {
    let folder = TemporaryFolder()
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let (certificate, key) = (folder.path("own.crt"), folder.path("own.key"))
    func make() async throws {
      let made = try await Program.run(
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-days",
        "1",
        "-subj",
        "/CN=own",
        "-keyout",
        key.path,
        "-out",
        certificate.path
      )
      try #require(made.code == 0, "\(made.text)")
    }
    let settings = TLSSettings.files(certificate: certificate, key: key)
    let time = SettableTime()
    #expect(throws: TLSError.self) { try Self.certificates(settings, at: time) }
    try await make()
    let certificates = try Self.certificates(settings, at: time)
    #expect(certificates.authority == nil && !certificates.renewIfDue())
    try await make()
    let later = Date() + 60
    try FileManager.default.setAttributes([.modificationDate: later], ofItemAtPath: certificate.path)
    #expect(certificates.renewIfDue() && !certificates.renewIfDue())
    // Files that can't be read leave the old certificate.
    try Data().write(to: certificate)
    let before = ObjectIdentifier(certificates.context)
    #expect(!certificates.renewIfDue() && ObjectIdentifier(certificates.context) == before)
  }
}
