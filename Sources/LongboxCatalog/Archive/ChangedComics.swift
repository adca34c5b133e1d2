// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxStore
import LongboxUpstream

/// The changed comics of a store, as input for a segment.
struct ChangedComics: Sendable {
  var comics: [StoredComic]
  /// Transcripts from explain xkcd: instead of a record's, if that has none, else for comparison.
  var transcripts: [Comic.Number: Text]
  /// What comics are about, from explain xkcd.
  var topics: [Comic.Number: [Topic]] = [:]
  /// The addresses of the pictures of unchanged comics before changed ones, see ``Archive/delta(of:from:to:isSampleBox:)``.
  var picturesBefore: [Comic.Number: Text] = [:]
}

extension Store {
  /// The comics changed after a revision, and interactive ones after them, whose pictures depend on the comic before.
  ///
  /// The wiki's pages are read one by one, since all of them have many megabytes.
  func changes(since revision: Revision) async throws(StoreError) -> ChangedComics {
    var comics = try await self.comics.comics(changedSince: revision)
    let numbers = Set(comics.map(\.number))
    for next in comics.compactMap(\.number.next) where !numbers.contains(next) {
      guard let comic = try await self.comics.comic(next) else { continue }
      if let record = try? XkcdRecord(raw: comic.raw), record.hasExtraParts { comics.append(comic) }
    }
    comics.sort { $0.number < $1.number }
    var picturesBefore: [Comic.Number: Text] = [:]
    for previous in comics.compactMap(\.number.previous) where !numbers.contains(previous) {
      guard let raw = try await self.comics.rawRecord(previous), let record = try? XkcdRecord(raw: raw) else {
        continue
      }
      picturesBefore[previous] = ComicRules.pictureAddress(Text(string: record.pictureAddress))
    }
    var transcripts: [Comic.Number: Text] = [:]
    var topics: [Comic.Number: [Topic]] = [:]
    for comic in comics {
      guard let text = try await explanations.explanation(of: comic.number)?.text else { continue }
      let page = WikiPage(wikitext: Text(text.wikitext))
      if !page.transcript.isEmpty { transcripts[comic.number] = page.transcript }
      if !page.topics.isEmpty { topics[comic.number] = page.topics }
    }
    return ChangedComics(
      comics: comics,
      transcripts: transcripts,
      topics: topics,
      picturesBefore: picturesBefore
    )
  }
}
