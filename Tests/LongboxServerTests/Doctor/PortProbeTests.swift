// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LongboxUpstream
import NIOCore
import Testing

@testable import LongboxServer

@Suite(.timeLimit(.minutes(10))) struct `A port` {
  /// Probes a server that gives the same response to all requests.
  private func outcome(
    at host: String = "localhost",
    _ status: HTTPResponse.Status,
    _ fields: HTTPFields = [:],
    body: String = ""
  ) async throws -> PortProbe.Outcome {
    let router = Router(context: BasicRequestContext.self)
    router.get("healthz") { _, _ in
      Response(status: status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(string: body)))
    }
    return try await Application(router: router, logger: .silent).test(.live) { client in
      let port = try #require(client.port)
      return await PortProbe(host: host, port: port, path: "/healthz").outcome()
    }
  }

  @Test func `has Longbox if it answers as that does`() async throws {
    #expect(try await outcome(.ok, body: #"{"comics":3000}"#) == .longbox(nil))
    let refusing =
      #"{"albumsNextTry":"2027-01-15T07:20:00Z","albumsRefusedSince":"2027-01-15T07:12:30Z","comics":3000}"#
    let pause = SourcePause(
      since: Date(timeIntervalSince1970: 1_799_997_150),
      nextTry: Date(timeIntervalSince1970: 1_799_997_600)
    )
    #expect(try await outcome(.ok, body: refusing) == .longbox(pause))
    #expect(try await outcome(.ok, body: "hello") == .other)
    #expect(try await outcome(.ok, body: String(repeating: "comics", count: 20_000)) == .other)
  }

  @Test func `has another program if that redirects this machine`() async throws {
    let fields: HTTPFields = [.location: "https://localhost/healthz"]
    #expect(try await outcome(.temporaryRedirect, fields) == .other)
    // The setting for the host takes only the name in lower case for this machine.
    #expect(try await outcome(at: "LOCALHOST", .temporaryRedirect, fields) == .longbox(nil))
  }
}
