// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxPages
import LongboxReaders

/// Updates the archive or the explanation index that an installed app stores.
///
/// The addresses are `/archive?since=R&rules=V&samples=0` and `/explanations/index` with the same query. The
/// response is a delta; without `since`, or if a delta is not possible, it is everything; 204 if the app
/// is current, or ahead of this node. A browser that opens `/archive`, which is xkcd's address of all comics, is sent to
/// the overview.
struct ArchiveController: Controller {
  private enum Kind {
    case archive
    case explanationIndex
  }

  private struct Key: Hashable {
    var kind: Kind
    /// The snapshot's generation, so that a stale body never matches.
    var generation: Int
    var since: Int
    var coding: ContentCoding?
  }

  let catalog: Catalog
  let heavyWork: HeavyWork
  /// Compressing the whole archive takes a sixth of a second, so each change is compressed once per coding.
  private let cache = MemoryCache<Key, EncodedBody>(limit: 12 << 20)

  init(catalog: Catalog, heavyWork: HeavyWork) {
    self.catalog = catalog
    self.heavyWork = heavyWork
  }

  var endpoints: [Endpoint] {
    [
      .get("archive") { request, context in
        // It is not stored, since the same address gives devices the archive.
        if RequestKind.isNavigation(request.head) { return .seeOther(.overview(.init())) }
        return try await update(.archive, request, context.client)
      },
      .get("explanations/index") { try await update(.explanationIndex, $0, $1.client) },
    ]
  }

  private func update(
    _ kind: Kind,
    _ request: Hummingbird.Request,
    _ client: ClientAddress
  ) async throws -> Hummingbird.Response {
    let query = request.uri.queryParameters
    func number(_ name: Substring) -> Int { query[name].flatMap { Int($0) } ?? 0 }
    let onDevice = ArchiveCopy(
      revision: number("since"),
      rules: number("rules"),
      isSampleBox: number("samples") == 1
    )
    let isCaughtUp =
      switch kind {
      case .archive: await catalog.catchUp(with: onDevice)
      case .explanationIndex: await catalog.catchUp(withExplanations: onDevice)
      }
    guard isCaughtUp else { return Self.nothingNew }
    let snapshot = catalog.snapshot
    let canBeUpdated =
      switch kind {
      case .archive: onDevice.canBeUpdated(to: snapshot.archive)
      case .explanationIndex: onDevice.canBeUpdated(to: snapshot.explanationIndex)
      }
    let key = Key(
      kind: kind,
      generation: snapshot.generation,
      since: canBeUpdated ? onDevice.revision : 0,
      coding: .preferred(by: request.headers[.acceptEncoding])
    )
    if let body = cache[key] { return body.response(to: request) }
    let segment: Segment?
    do throws(CatalogError) {
      switch kind {
      case .archive: segment = try await catalog.update(for: onDevice)
      case .explanationIndex: segment = try await catalog.explanationUpdate(for: onDevice)
      }
    } catch {
      throw error.httpError
    }
    guard let segment else { return Self.nothingNew }
    // A client can ask with many numbers, each of which has a body of its own.
    let body = try await heavyWork.run(for: client) { Self.body(of: segment.bytes, in: key.coding) }
    if catalog.snapshot.generation == snapshot.generation {
      cache.insert(body, for: key, cost: body.cost)
    }
    return body.response(to: request)
  }

  private static var nothingNew: Hummingbird.Response {
    Hummingbird.Response(status: .noContent, headers: [.cacheControl: "no-cache"])
  }

  private static func body(of bytes: [UInt8], in coding: ContentCoding?) -> EncodedBody {
    let compressed = coding?.compress(bytes)
    return EncodedBody(
      bodies: [compressed == nil ? nil : coding: compressed ?? bytes],
      hash: EncodedBody.hash(of: bytes),
      mediaType: "application/octet-stream",
      cacheControl: "no-cache",
      varying: ["Accept-Encoding"]
    )
  }
}
