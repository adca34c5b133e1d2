// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxStore

/// What has changed in a store, as it goes into a segment.
struct ChangedComics: Sendable {
  /// The comics, by number.
  var comics: [StoredComic]
  /// The transcripts of those whose own record has none, from their page of explain xkcd.
  var transcripts: [Comic.Number: Text]
}

extension Store {
  /// The comics that have changed after a revision.
  ///
  /// Pages are read one after another, since the wikitext of all of them would be some ten megabytes at once.
  func changes(since revision: Revision) async throws(StoreError) -> ChangedComics {
    let comics = try await comics(changedSince: revision)
    var transcripts: [Comic.Number: Text] = [:]
    for comic in comics where !ComicRules.trustsTranscript(of: comic.number) {
      guard let text = try await explanation(of: comic.number)?.text else { continue }
      let transcript = WikiPage(wikitext: Text(text.wikitext)).transcript
      if !transcript.isEmpty { transcripts[comic.number] = transcript }
    }
    return ChangedComics(comics: comics, transcripts: transcripts)
  }
}
