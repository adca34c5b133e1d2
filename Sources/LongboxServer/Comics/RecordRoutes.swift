// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore

/// Answers as xkcd itself does, so that programs made for its JSON API work when they are pointed here:
/// `/info.0.json` and `/{n}/info.0.json`.
///
/// The bodies are the very bytes that xkcd sent. Unlike xkcd it allows pages of other sites to read them (CORS).
struct RecordRoutes: Sendable {
  let catalog: Catalog

  func add(to router: Router<BasicRequestContext>) {
    router.get("info.0.json") { request, _ in
      guard let latest = catalog.snapshot.archive.latest?.number else {
        throw HTTPError(.serviceUnavailable, message: "No comic is stored yet.")
      }
      return try await answer(request, latest)
    }
    router.get(":number/info.0.json") { request, context in
      let latest = catalog.snapshot.archive.latest?.number ?? .first
      guard
        let value = context.parameters.get("number").flatMap({ Text(string: $0).number }),
        let number = Comic.Number(value), number <= latest
      else { throw HTTPError(.notFound, message: "There is no comic with this number.") }
      return try await answer(request, number)
    }
  }

  private func answer(_ request: Request, _ number: Comic.Number) async throws -> Response {
    do throws(CatalogError) {
      let raw = try await catalog.rawRecord(number)
      let payload = Payload(raw, mediaType: "application/json", cacheControl: "public, max-age=300")
      var response = payload.response(to: request)
      response.headers[.accessControlAllowOrigin] = "*"
      return response
    } catch {
      throw error.httpError
    }
  }
}
