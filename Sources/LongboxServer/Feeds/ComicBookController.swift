// Longbox
// SPDX-License-Identifier: MIT

import CZlib
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
    _ = try await catalog.comic(number, within: timeout, for: client)
    let page: (comic: ArchivedComic, picture: PictureContent)
    do throws(CatalogError) {
      page = try await catalog.page(number, within: timeout, for: client)
    } catch .absent {
      throw Problem(.notFound, "Comic \(number.value) only works on xkcd.com.", parameter: "number")
    } catch {
      throw Problem(error)
    }
    let book = ComicBook(comic: page.comic, series: catalog.snapshot.archive.series, picture: page.picture)
    let bytes = book.bytes
    let tag = EntityTag(value: String(XXH64.hash(bytes.span.bytes), radix: 36))
    var fields: HTTPFields = [.eTag: tag.header, .cacheControl: "public, no-cache"]
    if tag.matches(ifNoneMatch: request.headers[.ifNoneMatch]) {
      return CachedResponse(status: .notModified, fields: fields).response.openToAllSites
    }
    fields[.contentType] = OPDSDocument.comicBookType
    fields[.contentDisposition] = "attachment; filename=\"\(book.name).cbz\""
    return CachedResponse(status: .ok, fields: fields, body: ResponseBytes(bytes[...])).response
      .openToAllSites
  }
}

/// A comic as a comic book with one page: a ZIP archive of the picture and ComicInfo.xml
/// (https://anansi-project.github.io/docs/comicinfo/documentation).
struct ComicBook {
  let comic: ArchivedComic
  let series: Series
  let picture: PictureContent

  /// The archive; the same comic always gives the same bytes.
  var bytes: [UInt8] {
    var zip = StoredZip(date: comic.date)
    let info = info
    let page = zip.header(of: picture.bytes, named: "\(name).\(picture.fileExtension)") + picture.bytes
    return page + zip.header(of: info, named: Self.infoName) + info + zip.end
  }

  static let infoName = "ComicInfo.xml"

  /// The file name without its extension.
  var name: String { series.filePrefix + "\(comic.number.value)" }

  private var info: [UInt8] {
    XML(
      "ComicInfo",
      [
        ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
        ("xmlns:xsd", "http://www.w3.org/2001/XMLSchema"),
      ]
    ) {
      XML("Title", text: comic.title.description)
      XML("Series", text: series.name)
      XML("Number", text: "\(comic.number.value)")
      XML("Summary", text: comic.alt.description)
      XML("Notes", text: series.rights.licence.map { "\(series.rights.words), \($0)" } ?? series.rights.words)
      if let date = comic.date {
        XML("Year", text: "\(date.year)")
        XML("Month", text: "\(date.month)")
        XML("Day", text: "\(date.day)")
      }
      XML("Writer", text: series.author.name)
      if let page = series.page(of: comic.number) { XML("Web", text: page) }
      XML("PageCount", text: "1")
      XML("LanguageISO", text: "en")
    }
    .document
  }
}

/// A ZIP archive without compression (APPNOTE.TXT 6.3.10, method 0), because pictures are compressed already.
///
/// All sizes are below 4 GiB and names are ASCII, so it needs no extensions of the format.
struct StoredZip {
  private static let version: UInt16 = 10
  private static let method: UInt16 = 0

  private var directory: [UInt8] = []
  private var count: UInt16 = 0
  /// The length of the files so far, with what precedes each, in bytes.
  private(set) var length = 0
  private let date: UInt16

  /// Creates an empty archive.
  /// - Parameter date: the date of all files; the format allows the years 1980 to 2107.
  init(date: CalendarDate?) {
    let year = min(max(date?.year ?? 1980, 1980), 2107)
    self.date = UInt16(year - 1980) << 9 | UInt16(date?.month ?? 1) << 5 | UInt16(date?.day ?? 1)
  }

  /// Adds a file.
  /// - Returns: what stands in the archive before the file's bytes.
  mutating func header(of bytes: [UInt8], named name: String) -> [UInt8] {
    let sum = UInt32(
      truncatingIfNeeded: bytes.withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32($0.count)) }
    )
    let offset = UInt32(length)
    var facts: [UInt8] = []
    // Version needed, flags, method, time, date; then the checksum, both sizes, and the lengths of name and
    // extra field.
    for word in [Self.version, 0, Self.method, 0, date] { facts.append(littleEndian: word) }
    for word in [sum, UInt32(bytes.count), UInt32(bytes.count)] { facts.append(littleEndian: word) }
    for word in [UInt16(name.utf8.count), 0] { facts.append(littleEndian: word) }

    directory.append(littleEndian: 0x0201_4B50 as UInt32)
    directory.append(littleEndian: Self.version)
    directory += facts
    // Length of the comment, number of the disk, attributes.
    for word: UInt16 in [0, 0, 0] { directory.append(littleEndian: word) }
    for word in [0, offset] { directory.append(littleEndian: word) }
    directory += name.utf8
    count += 1

    var header: [UInt8] = []
    header.append(littleEndian: 0x0403_4B50 as UInt32)
    header += facts + name.utf8
    length += header.count + bytes.count
    return header
  }

  /// What stands in the archive after the last file.
  var end: [UInt8] {
    var end: [UInt8] = []
    end.append(littleEndian: 0x0605_4B50 as UInt32)
    for word in [0, 0, count, count] { end.append(littleEndian: word) }
    for word in [UInt32(directory.count), UInt32(length)] { end.append(littleEndian: word) }
    end.append(littleEndian: 0 as UInt16)
    return directory + end
  }
}

extension [UInt8] {
  fileprivate mutating func append(littleEndian word: some FixedWidthInteger) {
    for shift in stride(from: 0, to: word.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: word >> shift))
    }
  }
}
