// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import LongboxCatalog
import LongboxCore

extension Catalog {
  /// Returns a stored comic, and fetches it first if necessary.
  func comic(
    _ number: Comic.Number,
    within limit: Duration = .seconds(8)
  ) async throws(Problem) -> ArchivedComic {
    if let comic = snapshot.archive.comic(number) { return comic }
    do throws(CatalogError) {
      try await ensure(number, within: limit)
    } catch {
      throw Problem(error)
    }
    guard let comic = snapshot.archive.comic(number) else {
      throw Problem(
        .gatewayTimeout,
        "Comic \(number.value) is not stored yet, and xkcd did not answer in time."
      )
    }
    return comic
  }
}
