// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import NIOCore

/// Reports the program's state to a supervisor: `/healthz`.
struct HealthController: Controller {
  let catalog: Catalog
  let version: String

  private struct Health: Encodable {
    var status: String
    var version: String
    var comics: Int
    var latest: Int?
    var samples: Bool
    var sourceDownSince: Date?
    var textsStored: Int?
    var picturesStored: Int?
    var failures: Int?
  }

  var endpoints: [Endpoint] {
    [.get("healthz") { _, _ in try health() }]
  }

  private func health() throws -> Response {
    let snapshot = catalog.snapshot
    let health = Health(
      status: "ok",
      version: version,
      comics: snapshot.archive.count,
      latest: snapshot.archive.latest?.number.value,
      samples: snapshot.archive.isSampleBox,
      sourceDownSince: snapshot.downSince,
      textsStored: snapshot.progress?.texts,
      picturesStored: snapshot.progress?.pictures,
      failures: snapshot.progress?.failures
    )
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys]
    return Response(
      status: .ok,
      headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: [UInt8](try encoder.encode(health))))
    )
  }
}
