// Longbox
// SPDX-License-Identifier: MIT

@testable import LongboxCore

/// Made-up comics to search in.
enum SearchSamples {
  private static let texts: [(number: Int, title: String, alt: String, transcript: String)] = [
    (1, "Lighthouse", "The keeper counts ships.", "[[A tower by the sea]]\nKeeper: One more ship tonight."),
    (2, "Ships", "All of them are late.", "[[A harbour]]\nCaptain: We sail at dawn."),
    (3, "Café Étude", "She plays it on spoons.", "[[A café]]\nPianist: This study is hard. Studying helps."),
    (
      7, "Good Code", "It compiles, at least in C++.",
      "Coder: Fast or right? Not both.\nCoder: Throw it away."
    ),
    (9, "The Code", "A code nobody broke.", "Spy: The code is broken.\nSpy: Good, then code again."),
    (12, "Relativity", "E=mc² fits on a shirt.", "Teacher: Energy equals mass.\nPupil: Times what?"),
    (20, "Bobby's Tables", "He names every table.", "Carpenter: Four legs, one top."),
    (21, "Antigravity", "Do not look down.", "Import it and fly.\nFlyer: I typed one line."),
    (22, "Import Taxes", "Gravity is free of tax.", "Officer: Anything to declare?\nFlyer: Antigravity."),
    (30, "Error 404", "Nothing here.", "Visitor: Where is the page?"),
    (
      31, "Sandwich Orders", "Make one for me too.",
      "A: Make me a sandwich.\nB: Make it yourself.\nA: Please make a sandwich."
    ),
    (
      32, "The Long Walk", "π metres at a time.",
      "Walker: In 2012 it seemed shorter. The colour of the road was grey."
    ),
  ]

  static let explanations: [(Int, String)] = [
    (1, "A lighthouse keeper has a lonely job. The loneliness is what the comic is about."),
    (21, "A reference to a programming language whose module opens a page."),
    (32, "Circles: the walker goes round."),
  ]

  static func comics() throws -> [Comic] {
    texts.compactMap { text in
      guard let number = Comic.Number(text.number), let date = date(of: text.number) else { return nil }
      return Comic(
        number: number,
        date: date,
        title: Text(string: text.title),
        alt: Text(string: text.alt),
        transcript: Text(string: text.transcript),
        isInteractive: text.number == 30
      )
    }
  }

  static func date(of number: Int) -> CalendarDate? {
    CalendarDate(year: 2010 + number / 10, month: 1 + number % 10, day: 1 + number % 7)
  }

  static func segment(of comics: [Comic], explained: Bool = true, revision: Int = 1, base: Int = 0) throws
    -> Segment
  {
    var writer = SegmentWriter()
    for comic in comics { try writer.append(comic) }
    writer.searchIndex = SearchIndexWriter.index(of: comics)
    if explained {
      let explanations = Self.explanations.compactMap { number, text in
        Comic.Number(number).map { ($0, Text(string: text)) }
      }
      writer.explanationIndex = SearchIndexWriter.index(
        ofExplanations: explanations.filter { pair in comics.contains { $0.number == pair.0 } }
      )
    }
    return try Segment(writer.finish(.init(revision: revision, base: base)))
  }

  static func search(explained: Bool = true) throws -> Search {
    try Search(archive: Archive(segment(of: comics(), explained: explained)))
  }
}

extension Search {
  /// The numbers of the comics found.
  func numbers(_ query: String, isDeep: Bool = true, isTyping: Bool = false) -> [Int] {
    results(for: SearchQuestion(text: Text(string: query), isDeep: isDeep, isTyping: isTyping))
      .hits.map(\.number.value)
  }
}
