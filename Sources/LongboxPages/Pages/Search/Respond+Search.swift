// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

// What a search comes to: a page of results, or the one comic that was asked for by its number.
extension PageRouter {
  var search: Response {
    let fields = request.fields
    var search = Link.Search(text: Text((fields["q"] ?? .empty).bytes.trimmed()))
    // A box that is not ticked is not sent; whether to look deeply is then the reader's setting's to say, unless it was
    // the form itself that did not send it.
    search.isDeep =
      fields["deep"] == "1"
      || fields["deep"] == nil && fields["form"] == nil && reader.library.value(of: .deepSearchByDefault)
    search.offset = min(fields["offset"]?.number ?? 0, 10_000)
    let isTyping = fields["typing"] == "1"
    if !isTyping, let comic = straight(search.text) { return Response(redirect: 303, to: .comic(comic)) }
    #if !hasFeature(Embedded)
    // The service worker lets the server answer this: what finds albums would be a part of the WebAssembly.
    if let words = SavedAlbum.words(in: search.text) {
      let albums = reader.library.savedAlbums.filter { $0.has(words) }
      return Response(page: frame(SearchPage(search: search, results: nil, albums: albums, archive: archive)))
    }
    #endif
    let page = SearchPage(
      search: search,
      results: shelf.results,
      archive: archive,
      hasFeed: shelf.hasFeeds
    )
    guard !search.text.isEmpty, shelf.results == nil else { return Response(page: frame(page)) }
    return Response(status: 503, page: frame(page), needs: [.search(question(search, isTyping: isTyping))])
  }

  private func question(_ search: Link.Search, isTyping: Bool) -> SearchQuestion {
    var question = SearchQuestion(
      text: search.text,
      isDeep: search.isDeep,
      isTyping: isTyping,
      offset: search.offset,
      limit: SearchPage.pageLength
    )
    // Only these words ask for what the reader did.
    guard let latest = archive.latest?.number, search.text.mentionsPredicate else { return question }
    let marks = reader.library.readMarks
    question.favorites = ComicSet(upTo: latest) { reader.library.isFavorite($0) }
    question.read = ComicSet(upTo: latest) { marks.isRead($0) }
    return question
  }

  /// The comic that a search asks for by nothing but its number, `353` or `#353`.
  ///
  /// A number that may be a year is a search, at whose head the comic stands.
  private func straight(_ text: Text) -> Comic.Number? {
    let isPlain = text.bytes.first != UInt8(ascii: "#")
    guard
      let value = (isPlain ? text : Text(text.bytes.dropFirst())).number,
      let number = Comic.Number(value),
      let latest = archive.latest,
      number <= latest.number,
      let first = archive.firstYear, let last = latest.date?.year
    else { return nil }
    return isPlain && (first...max(first, last)).contains(value) ? nil : number
  }
}

extension Archive {
  /// The year of the oldest comic.
  fileprivate var firstYear: Int? {
    var year: Int?
    visit { comic in
      year = comic.date?.year
      return year == nil
    }
    return year
  }
}

extension Text {
  /// Whether there is a colon in it, as in `is:favorite`.
  fileprivate var mentionsPredicate: Bool { bytes.contains(UInt8(ascii: ":")) }
}
