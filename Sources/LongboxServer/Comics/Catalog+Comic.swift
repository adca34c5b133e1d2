// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import LongboxCatalog
import LongboxCore
import LongboxReaders

extension Catalog {
  /// Returns a stored comic, and fetches it first if necessary; the requests of a client take turns.
  func comic(
    _ number: Comic.Number,
    within limit: Duration = .seconds(8),
    for client: ClientAddress
  ) async throws(Problem) -> ArchivedComic {
    if let comic = snapshot.archive.comic(number) { return comic }
    do throws(CatalogError) {
      try await ensure(number, within: limit, for: client.description)
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
