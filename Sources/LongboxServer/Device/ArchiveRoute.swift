// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore

/// Brings a device's copy of the archive up to date: `/archive?since=R&rules=V&samples=0`.
///
/// Without `since`, or where a delta would not do, it is the whole archive; 204 where the device has everything.
struct ArchiveRoute: Sendable {
  private struct Key: Hashable {
    /// The archive that is shown: what was made of another is not it.
    var generation: Int
    var since: Int
  }

  let catalog: Catalog
  /// A whole archive compresses in a tenth of a second, so it should not do so for each device.
  private let cache = MemoryCache<Key, Payload>(limit: 12 << 20)

  init(catalog: Catalog) {
    self.catalog = catalog
  }

  func answer(_ request: Request) async throws -> Response {
    let query = request.uri.queryParameters
    func number(_ name: Substring) -> Int { query[name].flatMap { Int($0) } ?? 0 }
    let copy = ArchiveCopy(
      revision: number("since"),
      rules: number("rules"),
      isSampleBox: number("samples") == 1
    )
    let snapshot = catalog.snapshot
    let key = Key(
      generation: snapshot.generation,
      since: copy.canBeUpdated(to: snapshot.archive) ? copy.revision : 0
    )
    if let payload = cache[key] { return payload.response(to: request) }
    let segment: Segment?
    do throws(CatalogError) {
      segment = try await catalog.update(for: copy)
    } catch {
      throw error.httpError
    }
    guard let segment else {
      return Response(status: .noContent, headers: [.cacheControl: "no-cache"])
    }
    let payload = Payload(
      segment.bytes,
      mediaType: "application/octet-stream",
      cacheControl: "no-cache"
    )
    if catalog.snapshot.generation == snapshot.generation {
      cache.insert(payload, for: key, cost: payload.cost)
    }
    return payload.response(to: request)
  }
}
