// Longbox
// SPDX-License-Identifier: MIT

import LongboxCatalog
import LongboxCore

/// Comics that follow each other: their pages, and the file with their explanations.
struct CopyPack {
  /// The number of comics in a pack.
  static let length = CopyManifest.packLength

  /// Its name in the manifest: its number.
  let name: String
  let comics: [ArchivedComic]
  let sources: [Comic.Number: ExplanationSource]
  /// A hash of all that its files depend on.
  let inputs: String

  /// Makes the pack that begins after a number.
  /// - Parameter copy: what all packs depend on.
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
    // A page shows its comic, links to its neighbours, and may tell the picture of the comic before from its own.
    let shown =
      [comics.first?.number.previous, comics.last?.number.next].compactMap { $0.flatMap(archive.comic) }
      + comics
    // Reflection has each field, so a field that is added is not forgotten here.
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
