// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxReaders

/// Serves the JSON API: everything below `/api`, as `Web/Public/openapi.json` describes it.
///
/// The API is read-only and ignores cookies, so pages of other sites may use it too (CORS). Errors are
/// ``Problem``s.
struct APIController: Controller {
  let catalog: Catalog
  let assets: AssetController
  let basePath: BasePath
  let heavyWork: HeavyWork
  /// Answers with more changed comics are heavy.
  private static let mostLight = 100
  /// Maximum wait for explain xkcd.
  let timeout: Duration

  var errorFormat: ErrorFormat { .problem }

  var endpoints: [Endpoint] {
    [
      .get("api/search") { try await search($0, $1).openToAllSites },
      .get("api/comics") { try await comics($0, $1.client).openToAllSites },
      .get("api/comics/{number}") {
        try await comic($1.parameters.require("number"), $0, $1.client).openToAllSites
      },
      .get("api/comics/{number}/explanation") {
        try await explanation($1.parameters.require("number"), $0, $1.client).openToAllSites
      },
      .get("api/openapi.json") { request, _ in
        try assets.asset("openapi.json", request).openToAllSites
      },
      .get("api/**") { _, _ in
        throw Problem(.notFound, "There is nothing at this address. /api/openapi.json lists what there is.")
      },
    ]
  }

  private func search(_ request: Request, _ context: ServerContext) async throws -> Response {
    let query = try APIQuery(request, names: ["q", "deep", "limit", "offset"])
    let question = SearchQuestion(
      text: try query.text("q", atMost: 200),
      isDeep: try query.flag("deep", default: true),
      offset: try query.number("offset", in: 0...10_000, default: 0),
      limit: try query.number("limit", in: 1...100, default: 25)
    )
    let snapshot = catalog.snapshot
    let results = try await heavyWork.results(
      for: question,
      in: snapshot,
      of: catalog,
      for: context.client
    )
    let basePath = basePath(of: request)
    return try json(APISearch(results, of: question, in: snapshot.archive, below: basePath), request)
  }

  private func comics(_ request: Request, _ client: ClientAddress) async throws -> Response {
    let query = try APIQuery(request, names: ["since", "limit"])
    let limit = try query.number("limit", in: 1...500, default: 100)
    let position = try query.position("since")
    let changes: Catalog.ChangePage?
    do throws(CatalogError) {
      changes = try await catalog.changes(after: position, limit: limit)
    } catch {
      throw Problem(error)
    }
    guard let changes else {
      throw Problem(
        .conflict,
        "since=\(position) is ahead of this server: it has other comics, or was restored from a backup. "
          + "Ask again without since.",
        parameter: "since"
      )
    }
    let basePath = basePath(of: request)
    let body = try await heavyWork.run(for: client, if: changes.comics.count > Self.mostLight) {
      Result { try EncodedBody(json: APIChanges(changes, below: basePath)) }
    }
    return try body.get().response(to: request)
  }

  private func comic(_ text: String, _ request: Request, _ client: ClientAddress) async throws -> Response {
    let comic = try await comic(numbered: text, request, client)
    return try json(APIComic(comic, below: basePath(of: request)), request)
  }

  private func explanation(_ text: String, _ request: Request, _ client: ClientAddress) async throws
    -> Response
  {
    let number = try await comic(numbered: text, request, client).number
    let state: ExplanationState
    do throws(CatalogError) {
      state = try await catalog.explanation(of: number, within: timeout, for: client.description)
    } catch {
      throw Problem(error)
    }
    switch state {
    case .stored(let explanation):
      let series = catalog.snapshot.archive.series
      return try json(APIExplanation(explanation, of: series, below: basePath(of: request)), request)
    case .absent:
      throw Problem(
        .notFound,
        "explain xkcd has no explanation of comic \(number.value) yet.",
        parameter: "number"
      )
    case .unknown:
      throw Problem(
        .serviceUnavailable,
        "The explanation is not stored yet, and explain xkcd isn’t answering right now."
      )
    }
  }

  /// Finds the comic that an address names; the query must be empty.
  private func comic(
    numbered text: String,
    _ request: Request,
    _ client: ClientAddress
  ) async throws -> ArchivedComic {
    _ = try APIQuery(request, names: [])
    guard let value = APIQuery.number(text, in: 1...Comic.Number.greatestValue) else {
      throw Problem(
        .badRequest,
        "A comic's number is a whole number from 1 to \(Comic.Number.greatestValue).",
        parameter: "number"
      )
    }
    let latest = try catalog.snapshot.archive.newest().number
    guard let number = Comic.Number(value), number <= latest else {
      throw Problem(
        .notFound,
        "There is no comic \(value); the latest is \(latest.value).",
        parameter: "number"
      )
    }
    return try await catalog.comic(number, for: client)
  }

  private func basePath(of request: Request) -> BasePath { request.head.basePath(or: basePath) }

  private func json(_ value: some Encodable, _ request: Request) throws -> Response {
    try EncodedBody(json: value).response(to: request)
  }
}
