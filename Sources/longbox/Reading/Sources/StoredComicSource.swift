// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCatalog
import LongboxCore
import LongboxPages
import LongboxStore

/// The comics in this machine's store, beside a running server or without one.
///
/// It only reads the store, and sends no requests.
struct StoredComicSource: ComicSource {
  private let store: Store

  /// Opens the store.
  /// - Throws: `StoreError`.
  init(_ location: StoreLocation) async throws {
    store = try await Store.openReading(location)
  }

  func archive() async throws -> Archive { try await Archive.stored(in: store) }

  func results(for question: SearchQuestion) async throws -> SearchResults {
    try await StoredSearch(store).results(for: question)
  }

  func explanation(of number: Comic.Number) async throws -> ComicExplanation? {
    guard case .stored(let explanation) = try await ExplanationState.stored(of: number, in: store) else {
      return nil
    }
    return ComicExplanation(
      number: number.value,
      lead: explanation.lead.isEmpty ? nil : explanation.lead.description,
      text: explanation.document.plainText.description,
      date: explanation.date?.iso8601.description,
      incomplete: explanation.isIncomplete,
      source: Link.explainXkcd(number).address.description,
      licence: "CC BY-SA 3.0"
    )
  }

  func picture(of number: Comic.Number, doubleSize: Bool) async throws -> [UInt8]? {
    let kind = doubleSize ? PictureKind.doubleSize : .standard
    guard let picture = try await store.pictures.picture(kind, of: number) else { return nil }
    return try await store.pictures.bytes(of: picture)
  }
}
