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
    let page = SearchPage(search, isTyping: isTyping, archive: archive, reader: reader)
    return Response(page: frame(page))
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
