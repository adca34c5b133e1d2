// Longbox
// SPDX-License-Identifier: MIT

import LongboxCatalog
import LongboxCore

extension AlbumJSON.Album {
  /// The album as a library keeps it; nil if a name is too long.
  var saved: SavedAlbum? {
    guard let id = StoreID(id), let country = StoreCountry(Text(string: country)) else { return nil }
    return SavedAlbum(
      id: id,
      country: country,
      year: year ?? 0,
      name: Text(string: name),
      artist: Text(string: artist)
    )
  }
}
