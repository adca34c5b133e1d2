// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxPages
import LongboxReaders
import LongboxStore
import LongboxUpstream
import NIOCore

/// Serves the comics' pictures: `/comics/{n}/image`, `/comics/{n}/image@2x`, `/comics/{n}/larger` and
/// `/comics/{n}/thumbnail`.
struct PictureController: Controller {
  let catalog: Catalog
  let now: @Sendable () -> Date
  private let turns = ClientTurns<ClientAddress>(at: .xkcd, most: 2)

  init(catalog: Catalog, now: @escaping @Sendable () -> Date) {
    self.catalog = catalog
    self.now = now
  }

  var endpoints: [Endpoint] {
    [
      endpoint("image", .standard), endpoint("image@2x", .doubleSize), endpoint("larger", .larger),
      endpoint("thumbnail", .thumbnail),
    ]
  }

  private func endpoint(_ name: String, _ kind: PictureKind) -> Endpoint {
    .get("comics/{number}/\(name)", cached: { cached(kind, $0) }) {
      try await picture(kind, of: $1.parameters.require("number"), $0, for: $1.client)
    }
  }

  /// Serves a picture of the comic whose number is in the address.
  private func picture(
    _ kind: PictureKind,
    of text: String,
    _ request: Hummingbird.Request,
    for client: ClientAddress
  ) async throws -> Hummingbird.Response {
    let archive = catalog.snapshot.archive
    guard let number = Comic.Number(typed: text, upTo: archive.latest?.number ?? .first) else {
      throw HTTPError(.notFound, message: "There is no comic with this number.")
    }
    let picture: PictureContent
    do {
      if let stored = try await catalog.storedPicture(kind, of: number) {
        picture = stored
      } else {
        picture = try await turns.run(for: client) { try await catalog.picture(kind, of: number) }
      }
    } catch let error as CatalogError {
      let status = error.httpError.status
      guard status.code >= 500 else { throw error.httpError }
      return MissingPicture(of: number).response(status: status)
    }
    let caching = cacheControl(for: number, picture, request.uri.query?[...], archive)
    return response(to: request.headers, picture, cacheControl: caching).response
  }

  /// The same response if the picture is in memory.
  private func cached(_ kind: PictureKind, _ query: CacheQuery) -> CachedResponse? {
    let archive = catalog.snapshot.archive
    guard
      let number = Comic.Number(typed: String(query.parameter), upTo: archive.latest?.number ?? .first),
      let picture = catalog.pictureInMemory(kind, of: number)
    else { return nil }
    let caching = cacheControl(for: number, picture, query.query, archive)
    return response(to: query.request.headerFields, picture, cacheControl: caching)
  }

  /// Immutable if the address has the picture's version, or if the comic is more than a week old.
  private func cacheControl(
    for number: Comic.Number,
    _ picture: PictureContent,
    _ query: Substring?,
    _ archive: Archive
  ) -> String {
    let forGood = "public, max-age=31536000, immutable"
    let facts = archive.comic(number)?.picture
    if let query, let facts, query == "v=\(facts.versionText)" { return forGood }
    guard !archive.isSampleBox, let published = archive.comic(number)?.date?.startOfDayInUTC else {
      return "no-cache"
    }
    return now().timeIntervalSince(published) > 7 * 24 * 3600 ? forGood : "public, max-age=300"
  }

  /// The response to a request for a picture or a part of it.
  private func response(
    to fields: HTTPFields,
    _ picture: PictureContent,
    cacheControl: String
  ) -> CachedResponse {
    let tag = EntityTag(value: picture.name)
    var head: HTTPFields = [.cacheControl: cacheControl, .eTag: tag.header, .acceptRanges: "bytes"]
    if tag.matches(ifNoneMatch: fields[.ifNoneMatch]) {
      return CachedResponse(status: .notModified, fields: head)
    }
    head[.contentType] = picture.mediaType
    let isCurrent = fields[.ifRange].map { $0 == tag.header } ?? true
    switch ByteRange(isCurrent ? fields[.range] : nil, of: picture.bytes.count) {
    case .whole:
      return CachedResponse(status: .ok, fields: head, body: ResponseBytes(picture.bytes[...]))
    case .part(let range):
      head[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(picture.bytes.count)"
      return CachedResponse(
        status: .partialContent,
        fields: head,
        body: ResponseBytes(picture.bytes[range])
      )
    case .unsatisfiable:
      head[.contentType] = nil
      head[.contentRange] = "bytes */\(picture.bytes.count)"
      return CachedResponse(status: .rangeNotSatisfiable, fields: head)
    }
  }
}

/// The picture in place of one that can't be fetched now: a torn page with the comic's number.
///
/// Browsers show it although the response is an error, so it works without scripts. Scripts recognize it by its
/// size, 1 by 1, and show a card with a way to try again. WebKit doesn't tell that size of a drawing, so the service worker
/// replaces it by a GIF (`missingPicture` in `pictures.js`).
struct MissingPicture {
  private let drawing: String

  init(of number: Comic.Number) {
    drawing = """
      <svg xmlns="http://www.w3.org/2000/svg" width="1" height="1" viewBox="0 0 112 112">\
      <path d="\(MissingDrawing.page)" fill="none" stroke="#8b877e" stroke-width="2"/>\
      <text x="56" y="106" fill="#8b877e" font-family="sans-serif" font-size="16" \
      text-anchor="middle">#\(number.value)</text></svg>
      """
  }

  /// A response that isn't cached.
  func response(status: HTTPResponse.Status) -> Hummingbird.Response {
    Hummingbird.Response(
      status: status,
      headers: [.contentType: "image/svg+xml", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: drawing))
    )
  }
}
