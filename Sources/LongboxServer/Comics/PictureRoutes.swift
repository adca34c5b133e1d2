// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxStore
import NIOCore

/// Sends comics' pictures: `/comics/{n}/image`, `/comics/{n}/image@2x` and `/comics/{n}/thumbnail`.
struct PictureRoutes: Sendable {
  let catalog: Catalog
  let now: @Sendable () -> Date

  /// A picture of a comic, by what stands where its number should.
  func picture(_ kind: PictureKind, of text: String, _ request: Request) async throws -> Response {
    let archive = catalog.snapshot.archive
    guard let number = Comic.Number(typed: text, upTo: archive.latest?.number ?? .first) else {
      throw HTTPError(.notFound, message: "There is no comic with this number.")
    }
    let picture: PictureContent
    do throws(CatalogError) {
      picture = try await catalog.picture(kind, of: number)
    } catch {
      throw error.httpError
    }
    let keeping = cacheControl(for: number, picture, request.uri.query, archive)
    return answer(to: request.headers, picture, cacheControl: keeping).response
  }

  /// The same picture where it is in memory, else nothing.
  func ready(_ kind: PictureKind, of text: String, query: String?, _ fields: HTTPFields) -> Answer? {
    let archive = catalog.snapshot.archive
    guard
      let number = Comic.Number(typed: text, upTo: archive.latest?.number ?? .first),
      let picture = catalog.pictureInMemory(kind, of: number)
    else { return nil }
    return answer(to: fields, picture, cacheControl: cacheControl(for: number, picture, query, archive))
  }

  /// For good where the address has the content's version, or where the comic is a week old and so settled.
  private func cacheControl(
    for number: Comic.Number,
    _ picture: PictureContent,
    _ query: String?,
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

  /// The answer to a request for a picture, or for a part of it.
  private func answer(to fields: HTTPFields, _ picture: PictureContent, cacheControl: String) -> Answer {
    let tag = EntityTag(value: picture.name)
    var answer: HTTPFields = [.cacheControl: cacheControl, .eTag: tag.header, .acceptRanges: "bytes"]
    if tag.matches(ifNoneMatch: fields[.ifNoneMatch]) {
      return Answer(status: .notModified, fields: answer)
    }
    answer[.contentType] = picture.mediaType
    let isCurrent = fields[.ifRange].map { $0 == tag.header } ?? true
    switch ByteRange(isCurrent ? fields[.range] : nil, of: picture.bytes.count) {
    case .whole:
      return Answer(status: .ok, fields: answer, body: ByteBuffer(bytes: picture.bytes))
    case .part(let range):
      answer[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(picture.bytes.count)"
      return Answer(
        status: .partialContent,
        fields: answer,
        body: ByteBuffer(bytes: picture.bytes[range])
      )
    case .unsatisfiable:
      answer[.contentType] = nil
      answer[.contentRange] = "bytes */\(picture.bytes.count)"
      return Answer(status: .rangeNotSatisfiable, fields: answer)
    }
  }
}
