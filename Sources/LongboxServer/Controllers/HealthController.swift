// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxUpstream
import LongboxReaders
import LongboxStore
import NIOCore

/// Reports the program's state: `/healthz` for a supervisor, `/ready` for a load balancer.
///
/// `/ready` says whether the balancer should send readers here.
struct HealthController: Controller {
  let catalog: Catalog
  let cluster: Cluster?
  let version: String
  let gate: AccessGate
  let floods: FloodLog

  /// How long the database may be away before readers should go to another node.
  private static let longestSilence = Duration.seconds(5)

  private struct Health: Encodable {
    var status: String
    var version: String
    var comics: Int
    var latest: Int?
    var samples: Bool
    var sourceDownSince: Date?
    var albumsRefusedSince: Date?
    var albumsNextTry: Date?
    var textsStored: Int?
    var picturesStored: Int?
    var failures: Int?
    /// For this machine's user alone.
    var refusedHosts: RefusedHosts?
  }

  var endpoints: [Endpoint] {
    [
      .get("healthz") { request, _ in try await health(for: request) },
      .get("ready") { _, _ in readiness() },
    ]
  }

  private func readiness() -> Response {
    let isReady = cluster.map { $0.silence < Self.longestSilence } ?? true
    var fields: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
    if !isReady { fields[.retryAfter] = "5" }
    return Response(
      status: isReady ? .ok : .serviceUnavailable,
      headers: fields,
      body: ResponseBody(byteBuffer: ByteBuffer(string: #"{"ready":\#(isReady)}"#))
    )
  }

  private func health(for request: Request) async throws -> Response {
    let snapshot = catalog.snapshot
    let pause = await catalog.albums.storePause()
    let health = Health(
      status: "ok",
      version: version,
      comics: snapshot.archive.count,
      latest: snapshot.archive.latest?.number.value,
      samples: snapshot.archive.isSampleBox,
      sourceDownSince: snapshot.downSince,
      albumsRefusedSince: pause?.since,
      albumsNextTry: pause?.nextTry,
      textsStored: snapshot.progress?.texts,
      picturesStored: snapshot.progress?.pictures,
      failures: snapshot.progress?.failures,
      refusedHosts: gate.isByMachineUser(request.head) ? RefusedHosts(floods.total(of: .foreignHost)) : nil
    )
    let encoder = JSONEncoder.stable
    encoder.dateEncodingStrategy = .iso8601
    return Response(
      status: .ok,
      headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: [UInt8](try encoder.encode(health))))
    )
  }
}
