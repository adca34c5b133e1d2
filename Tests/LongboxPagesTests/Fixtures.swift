// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

@testable import LongboxPages

/// Comics of our own making, odd in the ways that the real ones are.
enum Fixtures {
  /// A comic that is like most.
  static func comic(_ value: Int, title: Text = "A Title", address: Text? = nil) throws -> Comic {
    let number = try #require(Comic.Number(value))
    let date = try #require(
      CalendarDate(year: 2006 + value / 160, month: 1 + value % 12, day: 1 + value % 28)
    )
    var comic = Comic(number: number, date: date, title: title, alt: "What is said on hovering.")
    comic.pictureAddress = address ?? "https://imgs.xkcd.com/comics/" + Text(decimal: value) + ".png"
    comic.picture = PictureFacts(width: 740, height: 400, byteCount: 40_000, format: .png, version: 0xAB12)
    return comic
  }

  /// An archive of comics 1 to a number with no 404, some of them changed.
  static func archive(
    upTo latest: Int,
    isSampleBox: Bool = false,
    changing changes: [Int: (inout Comic) -> Void] = [:]
  ) throws -> Archive {
    var writer = SegmentWriter()
    for value in 1...latest where value != 404 {
      var comic = try comic(value)
      changes[value]?(&comic)
      try writer.append(comic)
    }
    return try Archive(Segment(writer.finish(.init(revision: 1, isSampleBox: isSampleBox))))
  }

  /// The page's model of a comic in an archive.
  static func page(_ value: Int, in archive: Archive) throws -> ComicPage {
    let number = try #require(Comic.Number(value))
    return ComicPage(try #require(archive.comic(number)), in: archive)
  }
}

extension Response {
  /// The page as a string.
  var text: String { String(decoding: body, as: UTF8.self) }
}

/// The answer to a reader who has done nothing so far, of a host that searches.
func respond(to request: Request, archive: Archive, shelf: Shelf) -> Response {
  var library = Replica(device: 1)
  let response = respond(to: request, archive: archive, library: &library, shelf: shelf)
  guard case .search(let question)? = response.needs.first else { return response }
  var shelf = shelf
  shelf.results = Search(archive: archive).results(for: question)
  return respond(to: request, archive: archive, library: &library, shelf: shelf)
}
