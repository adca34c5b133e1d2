// Longbox
// SPDX-License-Identifier: MIT

@testable import LongboxCore

/// Queries to a small archive.
enum QueryTarget {
  private static let search = SampleComics.archive.map { Search(archive: $0) }

  /// The first byte chooses options, the rest is the query.
  static func run(_ input: [UInt8]) throws(Finding) {
    guard let search, let choice = input.first else { return }
    let question = SearchQuestion(
      text: Text(input.dropFirst()),
      isDeep: choice & 1 == 0,
      isTyping: choice & 2 != 0,
      offset: Int(choice >> 2 & 3),
      limit: Int(choice >> 4),
      favorites: ComicSet(bits: [1 << 7]),
      read: ComicSet(bits: [1 << 1])
    )
    let results = search.results(for: question)
    try Finding.check(results.hits.count <= question.limit, "there are more hits than asked for")
    try Finding.check(results.total <= SampleComics.comics.count, "there are more results than comics")
    for hit in results.hits {
      let title = SampleComics.comics.first { $0.number == hit.number }?.title ?? .empty
      for (marks, text) in [(hit.titleMarks, title), (hit.marks, hit.snippet)] {
        var end = 0
        for mark in marks {
          try Finding.check(
            mark.lowerBound >= end && mark.upperBound <= text.count,
            "a mark is outside its text"
          )
          end = mark.upperBound
        }
      }
    }
  }
}
