// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCatalog
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

/// A page of added and changed comics, as the API returns it.
struct APIChanges: Encodable {
  var revision: Int
  /// The version of the decoding rules; when it changes, any text may have changed.
  var rules: Int
  /// Whether these are the project's own samples.
  var samples: Bool
  var comics: [APIComic]
  /// The value of `since` for the next request.
  var next: String
  /// Whether `next` has more changes already.
  var more: Bool

  init(_ changes: Catalog.ChangePage, below basePath: BasePath) {
    revision = changes.archive.revision
    rules = changes.archive.rules
    samples = changes.archive.isSampleBox
    comics = changes.comics.map { APIComic($0, below: basePath) }
    next = changes.position.description
    more = changes.isMore
  }
}

/// Search results as the API returns them.
struct APISearch: Encodable {
  /// A piece of text, and whether it matches the search.
  struct Piece: Encodable {
    var text: String
    var marked: Bool
  }

  struct Match: Encodable {
    /// The field that matched: title, alt, transcript or explanation.
    var field: String
    /// The text around the match, in order.
    var pieces: [Piece]
  }

  struct Hit: Encodable {
    var number: Int
    var title: String
    var date: String?
    var match: Match
    var page: String
    var thumbnail: String?
  }

  var query: String
  var deep: Bool
  var offset: Int
  var total: Int
  var didYouMean: String?
  var results: [Hit]

  init(
    _ found: SearchResults,
    of question: SearchQuestion,
    in archive: Archive,
    below basePath: BasePath
  ) {
    query = question.text.description
    deep = question.isDeep
    offset = question.offset
    total = found.total
    didYouMean = found.didYouMean?.description
    results = found.hits.compactMap { hit in archive.comic(hit.number).map { Hit(hit, $0, below: basePath) } }
  }
}

extension APISearch.Hit {
  init(_ hit: SearchHit, _ comic: ArchivedComic, below basePath: BasePath) {
    number = comic.number.value
    title = comic.title.description
    date = comic.date?.iso8601.description
    match = .init(field: "\(hit.field)", pieces: Self.pieces(of: hit, comic.title))
    page = basePath.address(of: .comic(comic.number))
    thumbnail = comic.picture.map { facts in
      basePath.address(of: .thumbnail(comic.number, version: facts.versionText))
    }
  }

  private static func pieces(of hit: SearchHit, _ title: Text) -> [APISearch.Piece] {
    guard hit.field != .title else { return marked(title, hit.titleMarks) }
    var pieces = marked(hit.snippet, hit.marks)
    if hit.isCutBefore { pieces.insert(.init(text: "… ", marked: false), at: 0) }
    if hit.isCutAfter { pieces.append(.init(text: " …", marked: false)) }
    return pieces
  }

  private static func marked(_ text: Text, _ marks: [Range<Int>]) -> [APISearch.Piece] {
    MarkedText(text: text, marks: marks).pieces.map { .init(text: $0.text.description, marked: $0.isMarked) }
  }
}

/// An explanation from explain xkcd, as the API returns it.
struct APIExplanation: Encodable {
  var number: Int
  /// The first sentences of the explanation.
  var lead: String?
  /// The full explanation as plain text.
  var text: String
  /// The full explanation as the pages show it: HTML without scripts, styles or event handlers.
  var html: String
  /// The date of the wiki page, if known.
  var date: String?
  /// Whether the wiki marks its page as incomplete.
  var incomplete: Bool
  /// Whether the wiki's page is longer than what is stored.
  var cut: Bool
  /// The wiki page and its licence; nil for samples.
  var source: String?
  var licence: String?

  init(_ explanation: Explanation, of series: Series, below basePath: BasePath) {
    number = explanation.number.value
    lead = explanation.lead.isEmpty ? nil : explanation.lead.description
    text = explanation.document.plainText.description
    html = explanation.document.html.string(below: basePath.inPages)
    date = explanation.date?.iso8601.description
    incomplete = explanation.isIncomplete
    cut = explanation.isCut
    source = series.explanationPage(of: explanation.number)
    licence = source.map { _ in "CC BY-SA 3.0" }
  }
}
