// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The target of a search: a comic by number, saved albums, or results from the archive.
struct ComicSearch {
  /// The search, with the reader's default for deep search.
  let link: Link.Search
  /// The comic, if the text is only its number.
  let comic: Comic.Number?
  /// The saved albums, if the text contains `is:album`.
  let albums: [SavedAlbum]?
  /// The search to run; nil if the text is empty or has another target.
  let question: SearchQuestion?

  init(_ fields: Route.SearchFields, archive: Archive, library: Library) {
    let isDeep = fields.isDeep ?? library.value(of: .deepSearchByDefault)
    link = Link.Search(text: fields.text, isDeep: isDeep, offset: fields.offset)
    comic = fields.isTyping ? nil : archive.comic(typed: fields.text)
    albums = SavedAlbum.words(in: fields.text).map { words in library.savedAlbums.filter { $0.has(words) } }
    guard comic == nil, albums == nil, !fields.text.isEmpty else {
      question = nil
      return
    }
    var question = SearchQuestion(
      text: fields.text,
      isDeep: isDeep,
      mostInTexts: isDeep || fields.offset > 0 ? 0 : SearchPage.mostInTexts,
      isTyping: fields.isTyping,
      offset: fields.offset,
      limit: SearchPage.pageLength
    )
    // Only words with a colon, such as `is:favorite`, depend on the library.
    if let latest = archive.latest?.number, fields.text.bytes.contains(UInt8(ascii: ":")) {
      let marks = library.readMarks
      question.favorites = ComicSet(upTo: latest) { library.isFavorite($0) }
      question.read = ComicSet(upTo: latest) { marks.isRead($0) }
    }
    self.question = question
  }
}

extension Archive {
  /// The comic of a search that is only its number or a name of it, such as `353`, `#353` or `xkcd 353`.
  ///
  /// A number that may be a year runs a search, whose first result is the comic.
  fileprivate func comic(typed text: Text) -> Comic.Number? {
    let named = text.namedComic
    guard
      let value = named ?? text.number,
      let number = Comic.Number(value),
      let latest,
      number <= latest.number,
      let first = firstYear, let last = latest.date?.year
    else { return nil }
    return named == nil && (first...max(first, last)).contains(value) ? nil : number
  }

  private var firstYear: Int? {
    var year: Int?
    visit { comic in
      year = comic.date?.year
      return year == nil
    }
    return year
  }
}
