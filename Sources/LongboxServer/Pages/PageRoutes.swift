// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxPages

/// Answers every address that is a page.
struct PageRoutes: Sendable {
  let catalog: Catalog
  let pages: RenderedPages
  let assetVersion: String
  let version: String
  /// How long a reader waits for a source before the page says what is missing.
  let patience: Duration

  func answer(_ request: Hummingbird.Request) async -> Hummingbird.Response {
    let address = request.uri.string
    let snapshot = catalog.snapshot
    if let page = pages.page(at: address, generation: snapshot.generation) {
      return page.response(to: request)
    }
    let question = LongboxPages.Request(
      path: Text(string: request.uri.path),
      query: Text(string: request.uri.query ?? ""),
      chance: .random(in: 0...UInt64.max)
    )
    var generation = snapshot.generation
    var reply = LongboxPages.respond(to: question, archive: snapshot.archive, shelf: shelf(of: snapshot))
    if !reply.needs.isEmpty {
      let unavailable = await fetch(reply.needs)
      let snapshot = catalog.snapshot
      generation = snapshot.generation
      var shelf = shelf(of: snapshot)
      shelf.unavailable = unavailable
      reply = LongboxPages.respond(to: question, archive: snapshot.archive, shelf: shelf)
    }
    return response(reply, to: request, at: address, generation: generation)
  }

  /// Fetches what a page lacks.
  /// - Returns: the comics that can't be had.
  private func fetch(_ needs: [Need]) async -> [Comic.Number] {
    var unavailable: [Comic.Number] = []
    for need in needs {
      do throws(CatalogError) {
        switch need {
        case .latest: continue
        case .comic(let number): try await catalog.ensure(number, withPicture: true, within: patience)
        case .picture(let number): try await catalog.ensure(number, withPicture: true, within: patience)
        }
      } catch {
        switch need {
        case .latest: continue
        case .comic(let number), .picture(let number): unavailable.append(number)
        }
      }
    }
    return unavailable
  }

  private func response(
    _ reply: LongboxPages.Response,
    to request: Hummingbird.Request,
    at address: String,
    generation: Int
  ) -> Hummingbird.Response {
    guard reply.location.isEmpty else {
      return Hummingbird.Response(
        status: .init(code: reply.status),
        headers: [
          .location: reply.location.description,
          .cacheControl: reply.keeping == .never ? "no-store" : "no-cache",
        ]
      )
    }
    let page = Payload(
      status: .init(code: reply.status),
      reply.body,
      mediaType: "text/html; charset=utf-8",
      cacheControl: "no-cache"
    )
    if reply.needs.isEmpty { pages.keep(page, at: address, generation: generation) }
    return page.response(to: request)
  }

  private func shelf(of snapshot: Catalog.Snapshot) -> Shelf {
    Shelf(
      source: snapshot.downSince.map { .down(since: Text(string: $0.spelledInUTC)) } ?? .reachable,
      progress: snapshot.progress.map {
        Shelf.Progress(texts: $0.texts, pictures: $0.pictures, total: $0.total)
      },
      assetVersion: Text(string: assetVersion),
      version: Text(string: version)
    )
  }
}
