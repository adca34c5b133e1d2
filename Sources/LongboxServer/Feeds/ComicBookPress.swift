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
import NIOCore
import Synchronization

/// The comics of one comic book; a long list takes several.
struct ComicBookVolume: Sendable {
  /// The maximum number of comics: no year has more.
  private static let most = 400

  /// Its place among the volumes of its list, from 1.
  var index: Int
  var numbers: [Comic.Number]

  static func volumes(of numbers: [Comic.Number]) -> [ComicBookVolume] {
    stride(from: 0, to: numbers.count, by: most).enumerated().map { index, start in
      ComicBookVolume(index: index + 1, numbers: Array(numbers.dropFirst(start).prefix(most)))
    }
  }
}

/// Makes comic books of many comics, page by page while they are sent.
///
/// A book in progress holds one picture in memory. Each page takes its client's turn in ``HeavyWork``.
final class ComicBookPress: Sendable {
  /// A book in progress.
  private final class Turn: Sendable {
    private let press: ComicBookPress
    private let client: ClientAddress

    init(_ press: ComicBookPress, _ client: ClientAddress) {
      self.press = press
      self.client = client
    }

    deinit {
      press.end(client)
    }
  }

  /// The maximum number of books in progress, in all and for an address.
  private static let most = (inAll: 16, ofClient: 2)
  /// The maximum length of a book without its table of contents, in bytes; the format allows 4 GiB.
  private static let longest = 1 << 30

  private let catalog: Catalog
  private let heavyWork: HeavyWork
  private let incidents: IncidentLog
  /// Maximum wait for xkcd, for each comic.
  private let timeout: Duration
  private let counts = Mutex<[ClientAddress: Int]>([:])

  init(catalog: Catalog, heavyWork: HeavyWork, incidents: IncidentLog, timeout: Duration) {
    self.catalog = catalog
    self.heavyWork = heavyWork
    self.incidents = incidents
    self.timeout = timeout
  }

  /// Sends a list's comics as a comic book.
  ///
  /// What can't be had in time is left out, and named in the book's notes.
  /// - Throws: `Problem` if there is no such volume, or with status 503 while the client gets others.
  func response(
    with list: OPDSList,
    volume index: Int,
    in archive: Archive,
    cacheControl: String,
    for context: ServerContext
  ) throws(Problem) -> Hummingbird.Response {
    let volumes = ComicBookVolume.volumes(of: list.numbers)
    guard volumes.indices.contains(index - 1) else {
      throw Problem(.notFound, "There are fewer comic books of this list.", parameter: "page")
    }
    let client = context.client
    guard let turn = begin(client) else {
      incidents.note(.heavyWork, "\(client)")
      throw Problem(
        .serviceUnavailable,
        "Comic books are being sent to your network already. Try again when they are complete.",
        retryAfter: 30
      )
    }
    let (volume, loop, series) = (volumes[index - 1], context.eventLoop, archive.series)
    let title = list.name.title.replacing("xkcd", with: series.name)
    let part = volumes.count > 1 ? ", part \(index)" : ""
    let stem = (list.book?.address.description ?? "").split(separator: "/").last?.prefix { $0 != "." } ?? ""
    let name = "\(series.filePrefix)\(stem)\(volumes.count > 1 ? "-\(index)" : "").cbz"
    let body = ResponseBody { [self] writer in
      var writer = PortionWriter(writer: writer, eventLoop: loop)
      try await write(volume, titled: title + part, series, to: &writer, for: client)
      try await writer.finish(nil)
      withExtendedLifetime(turn) {}
    }
    let fields: HTTPFields = [
      .contentType: OPDSDocument.comicBookType, .cacheControl: cacheControl,
      .contentDisposition: "attachment; filename=\"\(name)\"",
    ]
    return Hummingbird.Response(status: .ok, headers: fields, body: body).openToAllSites
  }

  private func write(
    _ volume: ComicBookVolume,
    titled title: String,
    _ series: Series,
    to writer: inout PortionWriter,
    for client: ClientAddress
  ) async throws {
    var zip = StoredZip(date: catalog.snapshot.archive.comic(volume.numbers.last ?? .first)?.date)
    var bookmarks: [String] = []
    var missing: [Comic.Number] = []
    for number in volume.numbers {
      try Task.checkCancellation()
      guard let page = try? await catalog.page(number, within: timeout, for: client),
        zip.length + page.picture.bytes.count < Self.longest
      else {
        missing.append(number)
        continue
      }
      // Apps sort pages by their names.
      let place = String(10_000 + bookmarks.count + 1).dropFirst()
      let name = "\(place)-\(series.filePrefix)\(number.value).\(page.picture.fileExtension)"
      bookmarks.append("#\(number.value) \(page.comic.title)")
      let before = zip
      let (after, header) = try await heavyWork.run(for: client) {
        var zip = before
        let header = zip.header(of: page.picture.bytes, named: name)
        return (zip, header)
      }
      zip = after
      try await writer.write(ResponseBytes(header[...]))
      try await writer.write(ResponseBytes(page.picture.bytes[...]))
    }
    let info = info(titled: title, series, bookmarks, without: missing)
    let header = zip.header(of: info, named: ComicBook.infoName)
    try await writer.write(ResponseBytes((header + info + zip.end)[...]))
  }

  private func info(
    titled title: String,
    _ series: Series,
    _ bookmarks: [String],
    without missing: [Comic.Number]
  ) -> [UInt8] {
    let licence = series.rights.licence.map { ", \($0)" } ?? ""
    let gap = missing.map { "\($0.value)" }.joined(separator: ", ")
    let notes = "\(series.rights.words)\(licence)" + (gap.isEmpty ? "" : ". Could not be fetched: \(gap).")
    return XML("ComicInfo") {
      XML("Title", text: title)
      XML("Series", text: series.name)
      XML("Notes", text: notes)
      XML("Writer", text: series.author.name)
      XML("PageCount", text: "\(bookmarks.count)")
      XML("LanguageISO", text: "en")
      XML("Pages") {
        XMLBuilder.buildArray(
          bookmarks.enumerated().map { XML("Page", [("Image", "\($0)"), ("Bookmark", $1)]) }
        )
      }
    }
    .document
  }

  private func begin(_ client: ClientAddress) -> Turn? {
    counts.withLock { counts in
      let count = counts[client] ?? 0
      guard count < Self.most.ofClient, counts.values.reduce(0, +) < Self.most.inAll else { return nil }
      counts[client] = count + 1
      return Turn(self, client)
    }
  }

  private func end(_ client: ClientAddress) {
    counts.withLock { counts in
      guard let count = counts[client], count > 1 else { return counts[client] = nil }
      counts[client] = count - 1
    }
  }
}

extension Catalog {
  /// A comic with its picture, which are fetched first if necessary.
  /// - Throws: `CatalogError.absent` if it has no picture of its own.
  func page(
    _ number: Comic.Number,
    within limit: Duration,
    for client: ClientAddress
  ) async throws(CatalogError) -> (comic: ArchivedComic, picture: PictureContent) {
    try await ensure(number, withPicture: true, within: limit, for: client.description)
    let picture = try await picture(.standard, of: number)
    let archive = snapshot.archive
    guard let comic = archive.comic(number), FeedContent(comic, in: archive, origin: .empty).picture != nil
    else { throw .absent }
    return (comic, picture)
  }
}

extension PictureContent {
  var fileExtension: String {
    switch mediaType {
    case "image/png": "png"
    case "image/gif": "gif"
    default: "jpg"
    }
  }
}
