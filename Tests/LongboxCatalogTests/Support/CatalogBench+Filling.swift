// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxCore
import LongboxStore
import Testing

@testable import LongboxCatalog

extension CatalogBench {
  /// Runs fill steps until nothing is due or the source is down.
  @discardableResult
  func fill() async throws -> FillStep {
    for _ in 0..<1_000 {
      let step = try await catalog.refresher.fillStep()
      guard case .worked = step else { return step }
    }
    Issue.record("The fill goes on without an end.")
    return .worked
  }

  /// Checks for the newest comic and fetches everything.
  func bringEverything() async throws {
    try await catalog.refresher.checkNewest()
    let end = try await fill()
    #expect(end.isIdle)
  }

  /// The fetch status of one part of a comic.
  func status(of part: ComicPart, _ number: Int) async throws -> FetchStatus {
    try await store.fetches.status(of: part, of: Comic.Number(of: number))
  }

  /// The comic in the archive.
  func comic(_ number: Int) -> ArchivedComic? { catalog.snapshot.archive.comic(Comic.Number(of: number)) }
}

extension FillStep {
  var isIdle: Bool {
    if case .idle = self { true } else { false }
  }

  var isDown: Bool {
    if case .sourceDown = self { true } else { false }
  }
}
