// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

// Addresses that only pages of the server's have; in `Link` itself they would be a part of the device's WebAssembly.
extension Link {
  /// Where artists are looked for, by words of a name or, where these are empty, not yet.
  static func artists(_ words: Text, in country: StoreCountry) -> Link {
    let country = "country=" + country.text
    return .local(
      "/albums?" + (words.isEmpty ? country : "artist=" + FormEncoding.encode(words) + "&" + country)
    )
  }

  /// The quiz on an album.
  static func quiz(_ album: StoreID, _ country: StoreCountry) -> Link {
    .local("/albums/" + album.text + "/quiz?country=" + country.text)
  }

  /// An artist's albums.
  static func artist(_ artist: StoreID, _ country: StoreCountry, _ selection: AlbumSelection) -> Link {
    .local("/albums/artists/" + artist.text + "?country=" + country.text + selection.field)
  }
}
