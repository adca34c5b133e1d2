// Longbox
// SPDX-License-Identifier: MIT

import Testing

@testable import LongboxCore

/// Cases known to be hard, with made-up pages and albums and some real names.
struct ArticleChoiceTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var artist: String
    var year: Int
    /// Title, short description and beginning of each page in the search results.
    var pages: [(title: String, summary: String, extract: String)]
    /// The number of the right page; several where the reader has to choose, or none.
    var expected: [Int]
    var reason: String
    /// Whether the reader has to choose, though there is only one likely page.
    var isAsked = false

    var testDescription: String { "\(artist): \(name) (\(reason))" }
  }

  static let weezers = [
    ("Weezer", "American rock band", "Weezer is an American rock band formed in Los Angeles in 1992."),
    ("Weezer (Blue Album)", "1994 studio album by Weezer", "Weezer is the debut studio album by Weezer."),
    ("Weezer (Green Album)", "2001 studio album by Weezer", "Weezer is the third studio album by Weezer."),
    ("Weezer (Red Album)", "2008 studio album by Weezer", "Weezer is the sixth studio album by Weezer."),
    ("Weezer (White Album)", "2016 studio album by Weezer", "Weezer is the tenth studio album by Weezer."),
    ("Weezer (Teal Album)", "2019 studio album by Weezer", "Weezer is the twelfth studio album by Weezer."),
    (
      "Weezer (Black Album)", "2019 studio album by Weezer",
      "Weezer is the thirteenth studio album by Weezer."
    ),
    ("Weezer discography", "Band discography", "The discography of Weezer."),
  ].map { (title: $0.0, summary: $0.1, extract: $0.2) }

  static let cases: [Case] = [
    Case(
      name: "Reign of Lamps (Expanded)",
      artist: "The Lamps",
      year: 1986,
      pages: [
        ("The Lamps", "American band", "The Lamps are a band."),
        ("Reign of Lamps", "1986 studio album by the Lamps", "Reign of Lamps is the third studio album."),
        ("Raining Light", "1986 song by the Lamps", "Raining Light is a song from Reign of Lamps."),
      ],
      expected: [1],
      reason: "plain, of an edition"
    ),
    Case(
      name: "The Lamps",
      artist: "The Lamps",
      year: 1991,
      pages: [
        (
          "The Lamps", "American heavy metal band",
          "The Lamps are an American band. The album The Lamps sold well."
        ),
        (
          "The Lamps (album)", "1991 studio album by the Lamps",
          "The Lamps is the fifth studio album by the Lamps."
        ),
        ("The Lamps discography", "Discography of the band", "The Lamps have released eleven albums."),
      ],
      expected: [1],
      reason: "self-titled"
    ),
    Case(
      name: "Weezer",
      artist: "Weezer",
      year: 1994,
      pages: weezers,
      expected: [1],
      reason: "one of six, by its year"
    ),
    Case(
      name: "Weezer",
      artist: "Weezer",
      year: 2008,
      pages: weezers,
      expected: [3],
      reason: "one of six, by its year"
    ),
    Case(
      name: "Wick",
      artist: "The Lamps",
      year: 1999,
      pages: [
        ("The Lamps", "US-amerikanische Rockband", "The Lamps ist eine US-amerikanische Rockband."),
        ("Wick", "Ort in Schottland", "Wick ist ein Ort in Schottland."),
        (
          "Wick (Album)", "Studioalbum von The Lamps",
          "Wick ist das 1999 erschienene Debütalbum der Band The Lamps."
        ),
      ],
      expected: [2],
      reason: "in German"
    ),
    Case(
      name: "Weezer (Green Album)",
      artist: "Weezer",
      year: 2001,
      pages: weezers,
      expected: [2],
      reason: "by its colour"
    ),
    Case(
      name: "Weezer (Blue Album)",
      artist: "Weezer",
      year: 2014,
      pages: weezers,
      expected: [1],
      reason: "by its name, but the store has the year of a reissue",
      isAsked: true
    ),
    Case(
      name: "Weezer",
      artist: "Weezer",
      year: 2019,
      pages: weezers,
      expected: [5, 6],
      reason: "two of one year"
    ),
    Case(
      name: "Black Tram: The Album",
      artist: "Tilda Kerr",
      year: 2018,
      pages: [
        ("Black Tram (film)", "2018 film", "Black Tram is a 2018 film."),
        (
          "Black Tram (soundtrack)", "2018 soundtrack album by Tilda Kerr",
          "Black Tram: The Album is the soundtrack."
        ),
        ("Black Tram (score)", "2018 film score by Pim Oda", "The score of the film."),
      ],
      expected: [1],
      reason: "soundtrack"
    ),
    Case(
      name: "Escape the Depot - EP",
      artist: "Dreamlamp",
      year: 2017,
      pages: [
        ("Escape the Depot", "2017 EP by Dreamlamp", "Escape the Depot is the first EP by Dreamlamp."),
        ("Dreamlamp", "South Korean girl group", "Dreamlamp is a group. Its first EP was Escape the Depot."),
      ],
      expected: [0],
      reason: "EP"
    ),
    Case(
      name: "Wick - Single",
      artist: "The Lamps",
      year: 2020,
      pages: [
        ("Wick (album)", "2020 studio album by the Lamps", "Wick is an album by the Lamps."),
        ("Wick (song)", "2020 single by the Lamps", "Wick is a song by the Lamps."),
      ],
      expected: [1],
      reason: "single, beside the album of its name"
    ),
    Case(
      name: "Wick",
      artist: "The Lamps",
      year: 2020,
      pages: [("Wick (song)", "2019 single by the Lamps", "Wick is a song by the Lamps from their album.")],
      expected: [],
      reason: "only a song has an article"
    ),
    Case(
      name: "American Tram",
      artist: "American Tram",
      year: 1999,
      pages: [
        ("American Tram (disambiguation)", "", "American Tram may refer to:"),
        (
          "American Tram (1999 album)", "1999 studio album by American Tram",
          "American Tram is the debut by American Tram."
        ),
        (
          "American Tram (2016 album)", "2016 studio album by American Tram",
          "American Tram is the second by American Tram."
        ),
      ],
      expected: [1],
      reason: "year in the page's name, and a disambiguation"
    ),
    Case(
      name: "Harvest",
      artist: "Pim Oda",
      year: 2005,
      pages: [
        (
          "Harvest (Neil Young album)", "1972 studio album by Neil Young",
          "Harvest is the fourth album by Neil Young."
        ),
        ("Harvest", "Process of gathering mature crops", "Harvesting is the process of gathering crops."),
        ("List of harvest festivals", "", "A list."),
      ],
      expected: [],
      reason: "no article: another artist's album of the name"
    ),
    Case(
      name: "Nothing at All",
      artist: "Nobody",
      year: 2005,
      pages: [],
      expected: [],
      reason: "nothing found"
    ),
    Case(
      name: "Études",
      artist: "Ólafur Lampi",
      year: 2015,
      pages: [
        ("Etudes (Olafur Lampi album)", "2015 album by Ólafur Lampi", "Études is an album by Ólafur Lampi.")
      ],
      expected: [0],
      reason: "accents"
    ),
    Case(
      name: "残酷な街灯",
      artist: "高橋ランプ",
      year: 1997,
      pages: [("残酷な街灯", "1997 studio album by 高橋ランプ", "残酷な街灯 is an album by 高橋ランプ.")],
      expected: [0],
      reason: "another script"
    ),
    Case(
      name: "Wick",
      artist: "The Lamps",
      year: 2001,
      pages: [("Wick (album)", "", "Wick is the debut studio album by the Lamps, released in 2001.")],
      expected: [0],
      reason: "no short description"
    ),
    Case(
      name: "Tilda Kerr",
      artist: "Tilda Kerr",
      year: 1994,
      pages: [
        ("Tilda Kerr", "British singer", "Tilda Kerr is a British singer, born in 1963."),
        (
          "Tilda Kerr (1991 album)", "1991 studio album by Tilda Kerr",
          "Tilda Kerr is the debut studio album by Tilda Kerr."
        ),
      ],
      expected: [1],
      reason: "only the first of two self-titled albums is found",
      isAsked: true
    ),
    Case(
      name: "Tilda Kerr",
      artist: "Tilda Kerr",
      year: 1978,
      pages: [
        ("Tilda Kerr (1977 album)", "", "Tilda Kerr is the first album by Tilda Kerr."),
        ("Tilda Kerr (1980 album)", "", "Tilda Kerr is the third album by Tilda Kerr."),
      ],
      expected: [0, 1],
      reason: "albums of the year before and of two years after"
    ),
    Case(
      name: "Wick",
      artist: "The Lamps",
      year: 2001,
      pages: [
        ("Wick (The Lamps album)", "", "Wick is the debut studio album by the Lamps, released in May 1998.")
      ],
      expected: [0],
      reason: "another year in the text",
      isAsked: true
    ),
    Case(
      name: "Wick",
      artist: "The Lamps",
      year: 2001,
      pages: [
        (
          "Wick (album)", "2001 studio album by the Lamps",
          "Wick is a studio album by the Lamps. They toured with it in 2003."
        )
      ],
      expected: [0],
      reason: "years of other things in the text"
    ),
    Case(
      name: "1989",
      artist: "The Lamps",
      year: 2014,
      pages: [("1989 (album)", "Album by the Lamps", "1989 is the fifth album by the Lamps.")],
      expected: [0],
      reason: "a year as a name"
    ),
    Case(
      name: "Wick (Deluxe Edition)",
      artist: "The Lamps",
      year: 2002,
      pages: [("Wick (album)", "2001 studio album by the Lamps", "Wick is an album by the Lamps.")],
      expected: [0],
      reason: "an edition of the year after"
    ),
    Case(
      name: "Wick (Deluxe Edition)",
      artist: "The Lamps",
      year: 2021,
      pages: [("Wick (album)", "2001 studio album by the Lamps", "Wick is an album by the Lamps.")],
      expected: [0],
      reason: "an edition of twenty years later",
      isAsked: true
    ),
    Case(
      name: "Hits of the Tramlines",
      artist: "Various Artists",
      year: 1998,
      pages: [("Hits", "Topics referred to by the same term", "Hits may refer to:")],
      expected: [],
      reason: "compilation without an article"
    ),
  ]

  @Test(arguments: cases) func `is found, chosen by the reader, or missing`(sample: Case) throws {
    let album = Album(
      id: try #require(StoreID(1)),
      artist: Text(string: sample.artist),
      name: Text(string: sample.name),
      released: CalendarDate(year: sample.year, month: 5, day: 10)
    )
    let pages = sample.pages.enumerated().map { place, page in
      ArticleCandidate(
        id: place + 1,
        title: Text(string: page.title),
        summary: Text(string: page.summary),
        extract: Text(string: page.extract),
        isDisambiguation: page.title.hasSuffix("(disambiguation)") || page.extract.hasSuffix("may refer to:")
      )
    }
    let scores = pages.map { "\($0.title): \(ArticleScore(of: $0, for: album).value)" }
    let comment = Comment(rawValue: scores.joined(separator: ", "))
    switch ArticleChoice(for: album, among: pages) {
    case .sure(let page):
      #expect([page.id - 1] == sample.expected, comment)
      #expect(!sample.isAsked, comment)
    case .unsure(let pages):
      #expect(sample.expected.count > 1 || sample.isAsked, comment)
      #expect(Set(sample.expected).isSubset(of: pages.map { $0.id - 1 }), comment)
      #expect(pages.count <= 3)
    case .none: #expect(sample.expected.isEmpty, comment)
    }
  }
}
