// Longbox
// SPDX-License-Identifier: MIT

import LongboxCatalog
import LongboxCore

/// Consecutive comics, whose pages and explanations are written together.
struct CopyPack {
  /// The number of comics in a pack.
  static let length = CopyManifest.packLength

  /// Its name in the manifest: its number.
  let name: String
  let comics: [ArchivedComic]
  let sources: [Comic.Number: ExplanationSource]
  /// A hash of everything that its files depend on.
  let inputs: String

  /// Creates the pack that begins after a number.
  /// - Parameter copy: the inputs of all packs.
  init(
    after start: Int,
    in catalog: StoredCatalog,
    of copy: String
  ) async throws(CatalogError) {
    name = "\(start / Self.length)"
    let archive = catalog.archive
    comics = (start + 1...start + Self.length).compactMap { Comic.Number($0).flatMap(archive.comic) }
    var sources: [Comic.Number: ExplanationSource] = [:]
    for comic in comics { sources[comic.number] = try await catalog.explanationSource(of: comic.number) }
    self.sources = sources
    // A page shows its comic, links to the comics beside it, and may compare its picture with the previous one.
    let shown =
      [comics.first?.number.previous, comics.last?.number.next].compactMap { $0.flatMap(archive.comic) }
      + comics
    // Reflection includes every field, also one that is added later.
    var parts = [
      copy, "\(archive.isSampleBox)", String(reflecting: archive.latest.map { shown.contains($0.number) }),
    ]
    parts += shown.map { String(reflecting: $0.comic) }
    parts += comics.map { sources[$0.number]?.content ?? "" }
    inputs = EncodedBody.hash(of: Array(parts.joined(separator: "\u{0}").utf8))
  }
}

extension [ArchivedComic] {
  fileprivate func contains(_ number: Comic.Number) -> Bool { contains { $0.number == number } }
}
