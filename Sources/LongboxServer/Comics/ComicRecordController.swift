// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxReaders

/// Serves xkcd's own JSON API, so that programs made for it work here: `/info.0.json` and `/{n}/info.0.json`.
///
/// The bodies are exactly the bytes that xkcd sent. Unlike xkcd, it allows pages of other sites to read them
/// (CORS).
struct ComicRecordController: Controller {
  let catalog: Catalog
  /// Where readers find the server, if records name its pictures in place of xkcd's.
  let ownPictures: SiteAddress?

  var endpoints: [Endpoint] {
    [
      .get("info.0.json") { try await latest($0, $1.client) },
      .get("{number}/info.0.json") { try await record($1.parameters.require("number"), $0, $1.client) },
    ]
  }

  private func latest(_ request: Request, _ client: ClientAddress) async throws -> Response {
    try await Self.openToAll { try await answer(request, newest, client) }
  }

  /// Serves the record of the comic whose number is in the address.
  private func record(_ text: String, _ request: Request, _ client: ClientAddress) async throws -> Response {
    try await Self.openToAll {
      guard let number = try Comic.Number(typed: text, upTo: newest) else {
        throw HTTPError(.notFound, message: "There is no comic with this number.")
      }
      return try await answer(request, number, client)
    }
  }

  /// Allows pages of other sites to read a response, including errors (CORS).
  private static func openToAll(_ answer: () async throws -> Response) async throws -> Response {
    do {
      return try await answer().openToAllSites
    } catch var error as HTTPError {
      error.headers[.accessControlAllowOrigin] = "*"
      throw error
    }
  }

  private var newest: Comic.Number {
    get throws {
      guard let latest = catalog.snapshot.archive.latest?.number else {
        throw HTTPError(.serviceUnavailable, message: "No comic is stored yet.")
      }
      return latest
    }
  }

  private func answer(
    _ request: Request,
    _ number: Comic.Number,
    _ client: ClientAddress
  ) async throws -> Response {
    do throws(CatalogError) {
      let raw = try await catalog.rawRecord(number, for: client.description)
      let here = ownPictures?.address(of: request.head).flatMap {
        Self.record(raw, picturesBelow: $0.root, number)
      }
      let body = EncodedBody(here ?? raw, mediaType: "application/json", cacheControl: "public, max-age=300")
      return body.response(to: request)
    } catch {
      throw error.httpError
    }
  }

  /// A record whose `img` is this server's picture; nil if the record has none.
  private static func record(_ raw: [UInt8], picturesBelow root: String, _ number: Comic.Number) -> [UInt8]? {
    guard var record = try? JSONSerialization.jsonObject(with: Data(raw)) as? [String: Any],
      record["img"] is String
    else { return nil }
    record["img"] = "\(root)/comics/\(number.value)/image"
    return
      (try? JSONSerialization.data(withJSONObject: record, options: [.sortedKeys, .withoutEscapingSlashes]))
      .map { [UInt8]($0) }
  }
}

extension Comic.Number {
  /// Parses the comic number in an address; nil if there is no such comic.
  init?(typed text: String, upTo latest: Comic.Number) {
    guard let value = Text(string: text).number, let number = Comic.Number(value), number <= latest else {
      return nil
    }
    self = number
  }
}
