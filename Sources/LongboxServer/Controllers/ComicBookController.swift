// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxPages
import LongboxReaders
import LongboxStore

/// Serves a comic as a comic book with one page: `/353/comic.cbz`.
struct ComicBookController: Controller {
  let catalog: Catalog
  let feeds: FeedRenderer
  /// Maximum wait for xkcd.
  let timeout: Duration

  var errorFormat: ErrorFormat { .problem }

  var endpoints: [Endpoint] {
    [.get("{number}/comic.cbz") { try await comicBook($1.parameters.require("number"), $0, $1.client) }]
  }

  private func comicBook(
    _ text: String,
    _ request: Hummingbird.Request,
    _ client: ClientAddress
  ) async throws -> Hummingbird.Response {
    _ = try APIQuery(request, names: [])
    let latest = catalog.snapshot.archive.latest?.number ?? .first
    guard let number = APIQuery.number(text, in: 1...latest.value).flatMap({ Comic.Number($0) }) else {
      throw Problem(.notFound, "There is no comic with this number.", parameter: "number")
    }
    let stored = try await catalog.comic(number, within: timeout, for: client)
    let picture: PictureContent
    do throws(CatalogError) {
      try await catalog.ensure(number, withPicture: true, within: timeout, for: client.description)
      picture = try await catalog.picture(.standard, of: number)
    } catch .absent {
      throw Self.noPicture(number)
    } catch {
      throw Problem(error)
    }
    let archive = catalog.snapshot.archive
    let comic = archive.comic(number) ?? stored
    guard FeedContent(comic, in: archive, origin: .empty).picture != nil else { throw Self.noPicture(number) }
    let book = ComicBook(
      comic: comic,
      series: archive.series,
      picture: picture.bytes,
      mediaType: picture.mediaType
    )
    let bytes = book.bytes
    let tag = EntityTag(value: String(XXH64.hash(bytes.span.bytes), radix: 36))
    var fields: HTTPFields = [.eTag: tag.header, .cacheControl: "public, no-cache"]
    if tag.matches(ifNoneMatch: request.headers[.ifNoneMatch]) {
      return feeds.open(CachedResponse(status: .notModified, fields: fields).response)
    }
    fields[.contentType] = OPDSDocument.comicBookType
    fields[.contentDisposition] = "attachment; filename=\"\(book.name).cbz\""
    return feeds.open(CachedResponse(status: .ok, fields: fields, body: ResponseBytes(bytes[...])).response)
  }

  private static func noPicture(_ number: Comic.Number) -> Problem {
    Problem(.notFound, "Comic \(number.value) only works on xkcd.com.", parameter: "number")
  }
}
