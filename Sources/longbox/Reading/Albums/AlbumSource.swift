// Longbox
// SPDX-License-Identifier: MIT

import LongboxCatalog
import LongboxCore

/// A source of artists and albums.
protocol AlbumSource: Sendable {
  func artists(named name: String, in country: StoreCountry?) async throws -> AlbumJSON.Artists
  func discography(of artist: StoreID, in country: StoreCountry?) async throws -> AlbumJSON.Discography
  func album(_ album: StoreID, in country: StoreCountry?) async throws -> AlbumJSON.Details
}
