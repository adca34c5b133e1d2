// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxStore

/// The changed comics of a store, as input for a segment.
struct ChangedComics: Sendable {
  var comics: [StoredComic]
  /// Transcripts from explain xkcd: instead of a record's, if that has none, else for comparison.
  var transcripts: [Comic.Number: Text]
}

extension Store {
  /// The comics changed after a revision; the wiki's pages are read one by one, since all of them have many megabytes.
  func changes(since revision: Revision) async throws(StoreError) -> ChangedComics {
    let comics = try await self.comics.comics(changedSince: revision)
    var transcripts: [Comic.Number: Text] = [:]
    for comic in comics {
      guard let text = try await explanations.explanation(of: comic.number)?.text else { continue }
      let transcript = WikiPage(wikitext: Text(text.wikitext)).transcript
      if !transcript.isEmpty { transcripts[comic.number] = transcript }
    }
    return ChangedComics(comics: comics, transcripts: transcripts)
  }
}
