// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxPages
import LongboxReaders
import LongboxUpstream

/// Serves a comic's picture at a fixed address and of a fixed size, for screens that can show nothing else: `/latest.png` and
/// `/random.png?width=800&height=480&levels=4`.
struct CanvasController: Controller {
  let comics: EmbeddedComics
  /// Pictures are decoded one at a time, so a client with many requests waits for itself.
  private let turns = ClientTurns<ClientAddress>(at: .xkcd, most: 1)

  init(comics: EmbeddedComics) {
    self.comics = comics
  }

  var errorFormat: ErrorFormat { .problem }

  var endpoints: [Endpoint] {
    [
      .get("latest.png") {
        try await picture("no-cache", to: $0, $1.client) { try await comics.latest(for: $0) }
      },
      .get("random.png") {
        try await picture("no-store", to: $0, $1.client) { try await comics.random(for: $0) }
      },
    ]
  }

  /// Serves the picture of a comic.
  /// - Throws: `Problem`: 400 for an invalid query, 404 if the comic has no picture, 502 to 504 if it can't be fetched or decoded.
  private func picture(
    _ caching: String,
    to request: Hummingbird.Request,
    _ client: ClientAddress,
    of comic: (ClientAddress) async throws -> ArchivedComic
  ) async throws -> Hummingbird.Response {
    let canvas = try Self.canvas(request)
    let number = try await comic(client).number
    let picture: PictureContent
    do {
      picture = try await turns.run(for: client) { try await comics.catalog.picture(of: number, on: canvas) }
    } catch CatalogError.absent {
      throw Problem(.notFound, "Comic \(number.value) only works on xkcd.com.")
    } catch let error as CatalogError {
      throw Problem(error)
    }
    let tag = EntityTag(value: picture.name)
    var fields: HTTPFields = [.eTag: tag.header, .cacheControl: caching]
    if tag.matches(ifNoneMatch: request.headers[.ifNoneMatch]) {
      return CachedResponse(status: .notModified, fields: fields).response
    }
    fields[.contentType] = picture.mediaType
    return CachedResponse(status: .ok, fields: fields, body: ResponseBytes(picture.bytes[...])).response
  }

  private static func canvas(_ request: Hummingbird.Request) throws(Problem) -> PictureCanvas {
    let query = try APIQuery(request, names: ["width", "height", "levels", AccessKeyField.parameter])
    let greys = try query.optionalNumber("levels", in: 2...256)
    if let greys, !PictureCanvas.greys.contains(greys) {
      throw Problem(.badRequest, "This has to be 2, 4, 8, 16 or 256.", parameter: "levels")
    }
    let sides = 1...PictureCanvas.longestSide
    return PictureCanvas(
      width: try query.optionalNumber("width", in: sides),
      height: try query.optionalNumber("height", in: sides),
      greys: greys
    )
  }
}
