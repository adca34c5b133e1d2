// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxPages

/// A comic as the API returns it, with known errors in xkcd's record corrected.
struct APIComic: Encodable {
  struct Picture: Encodable {
    var address: String
    var doubleSize: String?
    /// The larger version that the comic links to.
    var larger: String?
    var thumbnail: String
    var mediaType: String
    var width: Int
    var height: Int
    var bytes: Int
    var frames: Int
  }

  var number: Int
  var title: String
  var date: String?
  var alt: String
  var transcript: String?
  /// The page that the picture links to.
  var link: String?
  var interactive: Bool
  /// Nil if there is no picture, or if it has not been fetched yet.
  var picture: Picture?
  var page: String
  var source: String

  init(_ comic: ArchivedComic, below basePath: BasePath) {
    number = comic.number.value
    title = comic.title.description
    date = comic.date?.iso8601.description
    alt = comic.alt.description
    transcript = comic.transcript.unlessEmpty
    link = comic.link.unlessEmpty
    interactive = comic.isInteractive
    picture = comic.picture.map { Picture(of: comic.number, $0, below: basePath) }
    page = basePath.address(of: .comic(comic.number))
    source = Link.xkcd(comic.number).address.description
  }
}

extension APIComic.Picture {
  init(of number: Comic.Number, _ facts: PictureFacts, below basePath: BasePath) {
    let version = facts.versionText
    func address(_ link: Link) -> String { basePath.address(of: link) }
    self.address = address(.picture(number, doubleSize: false, version: version))
    doubleSize =
      facts.doubleSize == .present ? address(.picture(number, doubleSize: true, version: version)) : nil
    larger = facts.larger == .present ? address(.largerPicture(number, version: version)) : nil
    thumbnail = address(.thumbnail(number, version: version))
    mediaType = facts.format.mediaType
    width = facts.width
    height = facts.height
    bytes = facts.byteCount
    frames = facts.frames
  }
}

extension Text {
  fileprivate var unlessEmpty: String? { isEmpty ? nil : description }
}
