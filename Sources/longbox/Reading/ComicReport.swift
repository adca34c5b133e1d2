// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxPages

/// A comic as JSON; docs/cli.md describes it.
///
/// Fields are added, never changed or removed.
struct ComicReport: Encodable {
  struct Picture: Encodable {
    var mediaType: String
    var width: Int
    var height: Int
    var frames: Int
    var doubleSize: Bool
  }

  var number: Int
  var title: String
  var date: String?
  var alt: String
  var transcript: String?
  /// The page that the picture links to.
  var link: String?
  var interactive: Bool
  /// Nil until the picture was fetched.
  var picture: Picture?
  var favorite: Bool
  var read: Bool
  var source: String
  var licence: String?

  init(_ comic: ArchivedComic, in archive: Archive, _ library: Library) {
    number = comic.number.value
    title = comic.title.description
    date = comic.date?.iso8601.description
    alt = comic.alt.description
    transcript = comic.transcript.isEmpty ? nil : comic.transcript.description
    link = comic.link.isEmpty ? nil : comic.link.description
    interactive = comic.isInteractive
    picture = comic.picture.map {
      Picture(
        mediaType: "image/\($0.format)",
        width: $0.width,
        height: $0.height,
        frames: $0.frames,
        doubleSize: $0.doubleSize == .present
      )
    }
    favorite = library.isFavorite(comic.number)
    read = library.readMarks.isRead(comic.number)
    source = Link.xkcd(comic.number).address.description
    licence = archive.isSampleBox ? nil : "CC BY-NC 2.5"
  }
}
