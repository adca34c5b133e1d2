// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxReaders
import LongboxUpstream

/// Serves artists and albums as JSON, as `Web/Public/openapi.json` describes it.
///
/// Like the rest of the API it is read-only.
struct AlbumsAPIController: Controller {
  let catalog: Catalog
  /// Maximum wait for the iTunes Store.
  let timeout: Duration
  let now: @Sendable () -> Date

  var errorFormat: ErrorFormat { .problem }

  var endpoints: [Endpoint] {
    [
      .get("api/artists") { try await artists($0, $1.client) },
      .get("api/artists/{artist}") { try await discography($1.parameters.require("artist"), $0, $1.client) },
      .get("api/albums/{album}") { try await album($1.parameters.require("album"), $0, $1.client) },
    ]
  }

  private var albums: Albums { catalog.albums }

  private func artists(_ request: Request, _ client: ClientAddress) async throws -> Response {
    let query = try APIQuery(request, names: ["q", "country"])
    let name = try query.text("q", atMost: 200)
    let country = try country(in: query)
    guard name.description.contains(where: { !$0.isWhitespace }) else {
      throw Problem(.badRequest, "This has to be the name of an artist.", parameter: "q")
    }
    let artists = try await answer(from: country) { () throws(CatalogError) in
      try await albums.artists(named: name.description, in: country, within: timeout, for: client.description)
    }
    return try json(AlbumJSON.Artists(artists, in: country), request)
  }

  private func discography(_ text: String, _ request: Request, _ client: ClientAddress) async throws
    -> Response
  {
    let country = try country(in: APIQuery(request, names: ["country"]))
    let artist = try number(text, name: "artist")
    let discography = try await answer(from: country) { () throws(CatalogError) in
      try await albums.discography(of: artist, in: country, within: timeout, for: client.description)
    }
    return try json(AlbumJSON.Discography(discography, in: country), request)
  }

  private func album(_ text: String, _ request: Request, _ client: ClientAddress) async throws -> Response {
    let country = try country(in: APIQuery(request, names: ["country"]))
    let album = try number(text, name: "album")
    let details = try await answer(from: country) { () throws(CatalogError) in
      try await albums.album(album, in: country, within: timeout, for: client.description)
    }
    return try json(AlbumJSON.Details(details), request)
  }

  private func country(in query: APIQuery) throws -> StoreCountry {
    guard let text = try query.optionalText("country", atMost: 2) else { return albums.settings.country }
    guard let country = StoreCountry(text) else {
      throw Problem(
        .badRequest,
        "This has to be the two letters of a country, such as gb.",
        parameter: "country"
      )
    }
    return country
  }

  private func number(_ text: String, name: String) throws -> StoreID {
    guard let number = StoreID(Text(string: text)) else {
      throw Problem(.badRequest, "This has to be a number that the iTunes Store gives.", parameter: name)
    }
    return number
  }

  private func answer<Value: Sendable>(
    from country: StoreCountry,
    _ ask: () async throws(CatalogError) -> AlbumLookup<Value>
  ) async throws -> Value {
    let answer: AlbumLookup<Value>
    do throws(CatalogError) {
      answer = try await ask()
    } catch .invalid(let reason) {
      throw Problem(.badRequest, reason, parameter: "q")
    } catch .absent {
      throw Problem(
        .notFound,
        "The iTunes Store of the country “\(country.text)” has no such artist or album."
      )
    } catch {
      throw Problem(error)
    }
    switch answer {
    case .here(let value, _): return value
    case .waiting(let seconds):
      throw Problem(
        .serviceUnavailable,
        "Requests to the iTunes Store are limited, and yours has to wait. Ask again in \(seconds) \(seconds == 1 ? "second" : "seconds").",
        retryAfter: seconds
      )
    case .refused(let pause):
      let seconds = Int(max(0, min(pause.nextTry.timeIntervalSince(now()), 86_400))) + 1
      throw Problem(.serviceUnavailable, pause.sentence, retryAfter: seconds)
    }
  }

  private func json(_ value: some Encodable, _ request: Request) throws -> Response {
    try EncodedBody(json: value).response(to: request).openToAllSites
  }
}
