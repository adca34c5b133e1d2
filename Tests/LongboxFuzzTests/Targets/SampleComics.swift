// Longbox
// SPDX-License-Identifier: MIT

@testable import LongboxCore

/// A few made-up comics with their search index.
enum SampleComics {
  static let comics: [Comic] = {
    let texts: [(Int, Text, Text, Text)] = [
      (1, "Lighthouse", "The keeper counts ships.", "[[A tower by the sea]]\nKeeper: One more ship tonight."),
      (2, "Café Étude", "She plays it on spoons.", "Pianist: This study is hard. Studying helps."),
      (7, "Good Code", "It compiles, at least in C++.", "Coder: Fast or right? Not both."),
      (12, "Relativity", "E=mc² fits on a shirt.", "Teacher: Energy equals mass."),
      (405, "Journal", "After the missing one.", ""),
    ]
    return texts.compactMap { number, title, alt, transcript in
      guard let number = Comic.Number(number), let date = CalendarDate(year: 2010, month: 5, day: 20) else {
        return nil
      }
      var comic = Comic(number: number, date: date, title: title, alt: alt, transcript: transcript)
      comic.pictureAddress = "https://imgs.xkcd.com/comics/a.png"
      comic.news = News([News.Run("By "), News.Run("a friend", address: "https://example.org/")])
      return comic
    }
  }()

  /// The segment of the comics, at revision 3; empty only if the writer is broken.
  static let segment: [UInt8] = {
    do throws(ArchiveError) {
      var writer = SegmentWriter()
      for comic in comics { try writer.append(comic) }
      writer.searchIndex = SearchIndexWriter.index(of: comics)
      writer.explanationIndex = explanations
      return try writer.finish(.init(revision: 3))
    } catch {
      return []
    }
  }()

  static let archive: Archive? = try? Archive(Segment(segment))

  private static var explanations: [UInt8] {
    let texts: [(Int, Text)] = [(1, "A lonely job at the sea."), (12, "A reference to physics.")]
    return SearchIndexWriter.index(
      ofExplanations: texts.compactMap { number, text in Comic.Number(number).map { ($0, text) } }
    )
  }
}
