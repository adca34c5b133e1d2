// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxPages

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
