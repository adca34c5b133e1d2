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
  /// What an address names.
  enum Wanted: Equatable {
    /// The newest record.
    case latest
    /// The record under what stands where a number should.
    case numbered(String)

    /// Reads an address, or gives nothing for one that is no record's.
    init?(path: String) {
      let parts = path.split(separator: "/")
      guard parts.last == "info.0.json", parts.count <= 2 else { return nil }
      self = parts.count == 1 ? .latest : .numbered(String(parts[0]))
    }
  }

  let catalog: Catalog

  func answer(_ request: Request, _ wanted: Wanted) async throws -> Response {
    guard let latest = catalog.snapshot.archive.latest?.number else {
      throw HTTPError(.serviceUnavailable, message: "No comic is stored yet.")
    }
    guard case .numbered(let text) = wanted else { return try await answer(request, latest) }
    guard let number = Text(string: text).number.flatMap({ Comic.Number($0) }), number <= latest else {
      throw HTTPError(.notFound, message: "There is no comic with this number.")
    }
    return try await answer(request, number)
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
