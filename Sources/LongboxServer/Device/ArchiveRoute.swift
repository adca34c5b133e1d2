// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore

/// Brings a device's copy of the archive up to date, `/archive?since=R&rules=V&samples=0`, or that of the index of
/// explanations, `/explanations/index` with the same query.
///
/// Without `since`, or where a delta would not do, it is the whole; 204 where the device has everything.
struct ArchiveRoute: Sendable {
  /// What a device may have a copy of.
  enum Kind {
    case archive
    case explanationIndex
  }

  private struct Key: Hashable {
    var kind: Kind
    /// The archive that is shown: what was made of another is not it.
    var generation: Int
    var since: Int
  }

  let catalog: Catalog
  /// A whole archive is compressed in a tenth of a second, so that is not done for each device.
  private let cache = MemoryCache<Key, Payload>(limit: 12 << 20)

  init(catalog: Catalog) {
    self.catalog = catalog
  }

  func answer(_ kind: Kind, _ request: Request) async throws -> Response {
    let query = request.uri.queryParameters
    func number(_ name: Substring) -> Int { query[name].flatMap { Int($0) } ?? 0 }
    let copy = ArchiveCopy(
      revision: number("since"),
      rules: number("rules"),
      isSampleBox: number("samples") == 1
    )
    let snapshot = catalog.snapshot
    let canBeUpdated =
      switch kind {
      case .archive: copy.canBeUpdated(to: snapshot.archive)
      case .explanationIndex: copy.canBeUpdated(to: snapshot.explanationIndex)
      }
    let key = Key(kind: kind, generation: snapshot.generation, since: canBeUpdated ? copy.revision : 0)
    if let payload = cache[key] { return payload.response(to: request) }
    let segment: Segment?
    do throws(CatalogError) {
      switch kind {
      case .archive: segment = try await catalog.update(for: copy)
      case .explanationIndex: segment = try await catalog.explanationUpdate(for: copy)
      }
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
