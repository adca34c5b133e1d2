// Longbox
// SPDX-License-Identifier: MIT

import LongboxCatalog

/// A line of a list of albums.
enum AlbumLine {
  static func text(_ album: AlbumJSON.Album) -> String {
    "\(album.id)  \(album.name)\(album.year.map { " (\($0))" } ?? "")"
  }
}
