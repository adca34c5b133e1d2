// Longbox
// SPDX-License-Identifier: MIT

import Foundation
@testable import LongboxCore
@testable import LongboxDevice

extension FuzzTarget {
  /// Valid inputs of our own making, from which mutations start.
  var seeds: [[UInt8]] {
    switch self {
    case .archive: [SampleComics.segment]
    case .library: [Seeds.body(of: Seeds.replica.encoded())]
    case .sync: Seeds.syncs
    case .query: Seeds.queries.map { [0xF0] + Array($0.utf8) }
    case .wikitext: Seeds.wikitexts.map { Array($0.utf8) }
    case .news: Seeds.news.map { Array($0.utf8) }
    case .multipart: Seeds.uploads.map { Array($0.utf8) }
    case .document: Seeds.documents.map { Array($0.utf8) }
    case .forms: Seeds.forms.map { Array($0.utf8) }
    case .itunes: Seeds.storeAnswers.map { Array($0.utf8) }
    case .mediawiki: Seeds.wikiAnswers.map { Array($0.utf8) }
    case .record: Seeds.records.map { Array($0.utf8) }
    case .messages: Seeds.messages
    }
  }
}

/// Valid inputs by target.
private enum Seeds {
  /// What is between the header and the checksum of a library's message.
  static func body(of message: [UInt8]) -> [UInt8] {
    Array(message.dropFirst(12).dropLast(8))
  }

  static var replica: Replica {
    var replica = Replica(device: 7)
    LibraryTarget.edit(&replica)
    return replica
  }

  static var syncs: [[UInt8]] {
    var (device, server) = (replica, Replica(device: 9))
    let request = device.request(nonce: 5)
    let reply = try? server.library.answer(request, epoch: 9, at: 1_800_000_000_000)
    return [body(of: request.encoded())] + (reply.map { [body(of: $0.encoded())] } ?? [])
  }

  static let queries = [
    "ship", "\"one more ship\" -spoon OR café", "#405", "1-12", "2010-05-20", "is:unread is:favorite code",
    "e=mc²",
    "lighthuose", "π “quoted” 🚢",
  ]

  static let wikitexts = [
    """
    {{comic
    | number    = 353
    | title     = Python
    | image     = python.png
    | titletext = I wrote "it" — yesterday.
    }}
    ==Explanation==
    '''Bold''' and ''italic'' [[353: Python|a link]], {{w|Bread|a loaf}}<ref>A note.</ref>.
    * One
    ** Two
    # Three
    : An indent
    ; A term: its definition
    <blockquote>A quote</blockquote><pre>code</pre>
    {| class="wikitable"
    |+ Caption
    ! Head !! colspan=2 | Other
    |-
    | cell || <math>\\frac{1}{2}</math>
    |}
    <nowiki>'''</nowiki> https://example.org/ [https://example.org/ named] <!-- hidden -->
    ----
    ==Transcript==
    :[A box.]
    :Cueball: Hello.
    {{comic discussion}}
    """,
    "{{incomplete|why}}\n==Explanation==\n<table><tr><td>a<th>b</table><script>alert(1)</script>\n===Trivia===\n{{{1|x}}}",
  ]

  static let news = [
    "<p>Guest strip by <a href=\"/about\">a <b>friend</b></a>.<br/>New <a href='https://example.org/?a=1&amp;b=2'>store</a>",
    "<script>x</script><a href=\"javascript:alert(1)\">no</a> <a href=http://xkcd.com/12/>twelve</a> &copy; &#x41;",
  ]

  static let uploads = [
    "multipart/form-data; boundary=abc\n--abc\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n"
      + "Content-Type: text/plain\r\n\r\n353\r\n405\r\n--abc\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\n"
      + "[1, 2]\r\n--abc--\r\n"
  ]

  static let documents = [
    """
    {"format": "longbox-library", "version": 1, "exported": "2027-01-15T08:00:00.000Z",
     "favorites": [{"num": 353, "added": "2027-01-15T08:00:00.000Z", "note": "antigravity"}, {"num": 1}],
     "read": [{"from": 1, "to": 403}, {"from": 700, "to": 700}], "place": {"num": 700, "time": "2027-01-15T08:00:00Z"},
     "settings": {"appearance": "dark", "darkPictures": "dim"},
     "albums": [{"id": 1440857781, "country": "gb", "name": "Abbey Road", "artist": "The Beatles", "year": 1969}],
     "saved": [{"kind": "quiz", "name": "tracks/1440857781/00000000000000A1", "base64": "AQEB"}]}
    """,
    "[353, \"#1053\", {\"num\": 7}]", "{\"favorites\": [{\"id\": 12}]}",
    "num,title\n353,Python\n405;\n#7 - Code",
  ]

  static let forms = [
    "/favorites/set\ncomic=353&on=yes&back=%2F353%2F", "/favorites/note\ncomic=353&note=a+b%C3%A9",
    "/settings/set\nappearance=dark&darkPictures=dim&altText=always&back=/settings",
    "/albums/save\nalbum=9102&country=us&name=Index+Cards&artist=The+Paper+Lanterns&year=2014",
    "/search?q=ship&deep=on&offset=2\n", "/go?number=405\n", "/comics?view=list&show=unread&year=2010\n",
    "/read/older\ncomic=404", "/favorites/remove\ncomic=1&comic=405&back=https://example.org/",
    "/12/explanation\n",
    "/favorites?sort=oldest&q=a\n", "/undo\nback=/favorites", "/albums/9102/quiz?country=us\n",
  ]

  static let storeAnswers = [
    """
    {"resultCount": 3, "results": [
     {"wrapperType": "artist", "artistId": 9001, "artistName": "The Paper Lanterns", "primaryGenreName": "Indie"},
     {"wrapperType": "collection", "collectionType": "Album", "artistId": 9001, "collectionId": 9101,
      "artistName": "The Paper Lanterns", "collectionName": "Index Cards", "trackCount": 2, "releaseDate": "2014-03-03T08:00:00Z",
      "collectionExplicitness": "notExplicit", "collectionViewUrl": "https://music.apple.com/us/album/9101",
      "artworkUrl100": "https://is1-ssl.mzstatic.com/image/100x100bb.jpg", "copyright": "℗ 2014"},
     {"wrapperType": "track", "kind": "song", "artistId": 9001, "collectionId": 9101, "trackId": 1, "trackName": "One",
      "discNumber": 1, "trackNumber": 2, "trackCount": 2, "trackTimeMillis": 61000, "collectionName": "Index Cards",
      "artistName": "The Paper Lanterns"}]}
    """
  ]

  static let wikiAnswers = [
    """
    {"batchcomplete": true, "query": {"normalized": [{"from": "353", "to": "353"}],
     "redirects": [{"from": "353", "to": "353: Python"}],
     "pages": [{"pageid": 5, "title": "353: Python", "revisions": [{"revid": 12, "timestamp": "2026-08-07T13:04:05Z",
      "slots": {"main": {"content": "==Explanation==\\nText."}}}]}]}, "continue": {"rvcontinue": 7, "continue": "||"}}
    """,
    """
    {"query": {"pages": {"12": {"pageid": 12, "title": "353: Python", "revisions": [{"revid": 3, "*": "Old"}]},
     "-1": {"title": "9", "missing": ""}}}, "query-continue": {"revisions": {"rvcontinue": "8"}}}
    """,
    """
    {"batchcomplete": true, "query": {"pages": [{"pageid": 5, "title": "Index Cards", "index": 1, "description": "album",
     "extract": "Index Cards is an album.", "lastrevid": 1005, "fullurl": "https://en.wikipedia.org/wiki/Index_Cards",
     "pageprops": {"disambiguation": ""}}]}}
    """,
  ]

  static let records = [
    """
    {"month": "12", "num": 353, "link": "", "year": "2007", "news": "<a href=\\"/12/\\">twelve</a>",
     "safe_title": "Python", "transcript": "[[A scene]]\\nA: Words.\\n{{Title text: none}}", "alt": "I wrote &quot;it&quot;",
     "img": "https://imgs.xkcd.com/comics/python.png", "title": "<b>Python</b> &amp; co", "day": "5",
     "extra_parts": {"pre": "", "post": "", "headerextra": ""}}
    """
  ]

  static var messages: [[UInt8]] {
    let asks: [(flags: UInt8, path: String, query: String, form: String)] = [
      (0, "/12/", "", ""), (0, "/search", "q=ship", ""), (1, "/favorites/set", "", "comic=12&on=yes"),
      (2, "/albums/9102", "country=us", ""), (0, "/2/explanation", "", ""),
    ]
    let responds = asks.map { ask in message(.respond, respond(ask.flags, ask.path, ask.query, ask.form)) }
    let others: [(LongboxDevice.Operation, [UInt8])] = [
      (.open, SampleComics.segment), (.load, replica.encoded()), (.request, Array(repeating: 1, count: 8)),
      (.facts, []),
      (.pictures, [2]), (.explanations, SampleComics.segment),
    ]
    return responds + others.map { message($0.0, $0.1) } + [responds.flatMap(\.self)]
  }

  private static func message(_ operation: LongboxDevice.Operation, _ bytes: [UInt8]) -> [UInt8] {
    [operation.rawValue, UInt8(truncatingIfNeeded: bytes.count), UInt8(truncatingIfNeeded: bytes.count >> 8)]
      + bytes
  }

  private static func respond(_ flags: UInt8, _ path: String, _ query: String, _ form: String) -> [UInt8] {
    var writer = MessageWriter()
    writer.append(flags)
    for _ in 0..<2 {
      writer.append32(1_000_000)
      writer.append32(400)
    }
    for text in [path, query, form, "assets", "1.0", "/box", "https://a.b"] {
      writer.append(text: Text(string: text))
    }
    writer.append32(1)
    writer.append(4)
    writer.append(text: "2")
    writer.append(0)
    writer.append(text: "<p>An explanation</p>")
    return writer.bytes
  }
}
