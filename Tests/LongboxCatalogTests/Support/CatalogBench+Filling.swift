// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxCore
import LongboxStore
import Testing

@testable import LongboxCatalog

extension CatalogBench {
  /// Takes steps of the fill until there is nothing to do, or the source is down.
  @discardableResult
  func fill() async throws -> ComicRepository.FillStep {
    for _ in 0..<1_000 {
      let step = try await catalog.fillStep()
      guard case .worked = step else { return step }
    }
    Issue.record("The fill goes on without an end.")
    return .worked
  }

  /// Looks for the newest comic and fetches all there is.
  func bringEverything() async throws {
    try await catalog.checkNewest()
    let end = try await fill()
    #expect(end.isIdle)
  }

  /// How the fetching of a comic's thing went.
  func status(of thing: FetchedThing, _ number: Int) async throws -> FetchStatus {
    try await store.status(of: thing, of: Comic.Number(of: number))
  }

  /// What the archive holds of a comic.
  func comic(_ number: Int) -> ArchivedComic? { catalog.snapshot.archive.comic(Comic.Number(of: number)) }
}

extension ComicRepository.FillStep {
  /// Whether there was nothing to do.
  var isIdle: Bool {
    if case .idle = self { true } else { false }
  }

  /// Whether the source was down.
  var isDown: Bool {
    if case .sourceDown = self { true } else { false }
  }
}
