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
    let keeping = cacheControl(for: number, picture, request, archive)
    return Self.response(to: request, picture, cacheControl: keeping)
  }

  /// For good where the address has the content's version, or where the comic is a week old and so settled.
  private func cacheControl(
    for number: Comic.Number,
    _ picture: PictureContent,
    _ request: Request,
    _ archive: Archive
  ) -> String {
    let forGood = "public, max-age=31536000, immutable"
    let facts = archive.comic(number)?.picture
    if let version = request.uri.queryParameters["v"], facts?.versionText.description == String(version) {
      return forGood
    }
    guard !archive.isSampleBox, let published = archive.comic(number)?.date?.startOfDayInUTC else {
      return "no-cache"
    }
    return now().timeIntervalSince(published) > 7 * 24 * 3600 ? forGood : "public, max-age=300"
  }

  static func response(to request: Request, _ picture: PictureContent, cacheControl: String) -> Response {
    let tag = EntityTag(value: picture.name)
    var headers: HTTPFields = [.cacheControl: cacheControl, .eTag: tag.header, .acceptRanges: "bytes"]
    if tag.matches(ifNoneMatch: request.headers[.ifNoneMatch]) {
      return Response(status: .notModified, headers: headers)
    }
    headers[.contentType] = picture.mediaType
    let isCurrent = request.headers[.ifRange].map { $0 == tag.header } ?? true
    switch ByteRange(isCurrent ? request.headers[.range] : nil, of: picture.bytes.count) {
    case .whole:
      return Response(
        status: .ok,
        headers: headers,
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: picture.bytes))
      )
    case .part(let range):
      headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(picture.bytes.count)"
      let part = ByteBuffer(bytes: picture.bytes[range])
      return Response(status: .partialContent, headers: headers, body: ResponseBody(byteBuffer: part))
    case .unsatisfiable:
      headers[.contentType] = nil
      headers[.contentRange] = "bytes */\(picture.bytes.count)"
      return Response(status: .rangeNotSatisfiable, headers: headers)
    }
  }
}

extension CalendarDate {
  /// The first moment of the day in UTC.
  fileprivate var startOfDayInUTC: Date? {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar.date(from: DateComponents(year: year, month: month, day: day))
  }
}
