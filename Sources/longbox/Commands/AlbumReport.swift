// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

struct AlbumReport: Encodable {
  struct Hit: Encodable {
    var id: UInt64
    var country: String
    var name: String
    var artist: String
    var year: Int?
  }

  let total: Int
  let albums: [Hit]

  init(_ albums: [SavedAlbum], limit: Int) {
    total = albums.count
    self.albums = albums.prefix(limit).map { album in
      Hit(
        id: album.id.value,
        country: album.country.text.description,
        name: album.name.description,
        artist: album.artist.description,
        year: album.year == 0 ? nil : album.year
      )
    }
  }

  /// A line for each album, and one with the total.
  var lines: [String] {
    var lines = albums.map { album in
      "\(album.artist): \(album.name)\(album.year.map { " (\($0))" } ?? ""), /albums/\(album.id)?country=\(album.country)"
    }
    switch total {
    case 0: lines.append("No albums.")
    case 1: lines.append("1 album.")
    case albums.count: lines.append("\(total) albums.")
    default: lines.append("\(total) albums, of which \(albums.count) are shown; --limit shows more.")
    }
    return lines
  }
}
