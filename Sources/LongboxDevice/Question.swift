// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxPages

/// What a reader asks for, and what the host has at hand.
///
///     u8  flags: bit 0 a form, bit 1 no connection
///     u64 chance, u64 now in milliseconds since 1970-01-01 UTC
///     five texts: path, query, form, version of the files, version of the program; each u32 length, bytes
///     u32 number of comics that can't be had, u32 each
///     text: what the finder answered to a question of this page, or empty
///     u32 number of explanations, each u32 comic, text: its beginning as the server made it, empty where it is not here
struct Question {
  let request: Request
  private(set) var shelf: Shelf

  init?(_ reader: inout MessageReader) {
    guard
      let flags = reader.byte(), let chance = reader.word64(), let now = reader.word64(),
      let path = reader.text(), let query = reader.text(), let form = reader.text(),
      let assetVersion = reader.text(), let version = reader.text(),
      let count = reader.word32()
    else { return nil }
    var unavailable: [Comic.Number] = []
    for _ in 0..<count {
      guard let number = reader.word32() else { return nil }
      if let comic = Comic.Number(Int(truncatingIfNeeded: number)) { unavailable.append(comic) }
    }
    guard let found = reader.text(), let shelved = Self.explanations(&reader) else { return nil }
    request = Request(
      method: flags & 1 == 0 ? .get : .post,
      path: path,
      query: query,
      body: form,
      chance: chance,
      now: now
    )
    shelf = Shelf(
      assetVersion: assetVersion,
      version: version,
      unavailable: unavailable,
      isOffline: flags & 2 != 0
    )
    shelf.explanations = shelved
    if !found.isEmpty { shelf.results = SearchResults(decoding: Array(found.bytes)) }
  }

  private static func explanations(_ reader: inout MessageReader) -> [Shelf.ShelvedExplanation]? {
    guard let count = reader.word32() else { return nil }
    var explanations: [Shelf.ShelvedExplanation] = []
    for _ in 0..<count {
      guard let number = reader.word32(), let html = reader.text() else { return nil }
      guard let comic = Comic.Number(Int(truncatingIfNeeded: number)) else { continue }
      explanations.append(Shelf.ShelvedExplanation(comic, HTML(rendered: Array(html.bytes))))
    }
    return explanations
  }
}
