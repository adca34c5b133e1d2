// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import LongboxServer

@Suite("The description of the API", .timeLimit(.minutes(10))) struct DescriptionTests {
  private struct Description: Decodable {
    struct Operation: Decodable {}

    var paths: [String: [String: Operation]]

    /// The described endpoints, such as `GET api/comics`.
    var endpoints: Set<String> {
      Set(paths.flatMap { path, methods in methods.keys.map { "\($0.uppercased()) \(path.dropFirst())" } })
    }
  }

  /// JSON endpoints that are not part of the public API.
  private static let exceptions: Set = [
    // For our own pages and the installed app.
    "GET api/push/key", "POST api/push/subscriptions", "DELETE api/push/subscriptions",
    "GET device.json", "GET explanations", "GET albums/{album}/content.json", "GET settings/export",
    // Described elsewhere: by xkcd and by JSON Feed.
    "GET info.0.json", "GET {number}/info.0.json",
    "GET feed.json", "GET feeds/{token}.json", "GET feeds/rerun/{from}/{start}.json",
    // For the server's supervisor.
    "GET healthz",
  ]

  @Test func `lists exactly the endpoints of the API`() async throws {
    try await withServer { bench async throws in
      let described: Description = try await bench.decode("/api/openapi.json")
      let endpoints = bench.endpoints.exactEndpoints
      let names = Set(endpoints.map(\.name))
      #expect(described.endpoints.subtracting(names) == [])
      #expect(Self.exceptions.subtracting(names) == [])
      for endpoint in endpoints {
        guard try await sendsJSON(endpoint, bench) else { continue }
        let isDescribed = described.endpoints.contains(endpoint.name)
        #expect(isDescribed != Self.exceptions.contains(endpoint.name), "\(endpoint.name)")
      }
    }
  }

  private func sendsJSON(_ endpoint: Endpoint, _ bench: ServerBench) async throws -> Bool {
    if endpoint.path.hasPrefix("api/") || endpoint.path.hasSuffix(".json") { return true }
    guard endpoint.method == .get else { return false }
    let answer = try await bench.get(endpoint.example)
    return answer.status == .ok && answer.headers[.contentType]?.hasPrefix("application/json") == true
  }
}

extension Endpoint {
  fileprivate var name: String { "\(method.rawValue) \(path)" }
}
