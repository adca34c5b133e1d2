// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

extension SavedAlbum {
  init?(_ fields: FormFields) {
    guard let id = fields["album"].flatMap({ StoreID($0) }),
      let country = fields["country"].flatMap({ StoreCountry($0) }),
      let name = fields["name"]
    else { return nil }
    self.init(
      id: id,
      country: country,
      year: fields["year"]?.number ?? 0,
      name: name,
      artist: fields["artist"] ?? .empty
    )
  }
}
