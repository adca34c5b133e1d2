// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The albums that the reader saved, by artist.
struct SavedAlbumsPage {
  let albums: [SavedAlbum]

  /// The page; an `AlbumPage`, so that the frame's code is compiled once.
  var page: AlbumPage { AlbumPage(name: "Saved albums", body: body) }

  @HTMLBuilder private var body: HTML {
    ul(.class("ways")) { li { a(.href(.artists(.empty, nil))) { "Change artist" } } }
    if albums.isEmpty {
      p(.class("note")) {
        "No album is saved yet. Open an artist’s album and press “Save album”: it will stand here, also without a connection."
      }
    } else {
      SavedAlbumList(albums: albums, back: .savedAlbums).html
    }
  }
}

/// A list of saved albums, with a button to remove each.
struct SavedAlbumList {
  let albums: [SavedAlbum]
  let back: Link

  @HTMLBuilder var html: HTML {
    if !albums.isEmpty {
      ul(.class("cards"), .label("Albums")) { for album in albums { card(album) } }
    }
  }

  private func card(_ album: SavedAlbum) -> HTML {
    li {
      a(.class("card"), .href(.album(album.id, album.country))) {
        span(.class("sleeve")) {
          img(
            .src(.cover(album.id, isSmall: true)),
            .alt(.empty),
            Attribute("width", 200),
            Attribute("height", 200),
            Attribute("loading", "lazy")
          )
        }
        span {
          bdi { album.name }
          span(.class("by")) {
            bdi { album.artist }
            if album.year > 0 { ", " + Text(decimal: album.year) }
          }
        }
      }
      EditForm(address: .removeAlbum, comic: nil, album: album.id, back: back.address)
        .html(.class("button"), .label("Remove " + album.name + " from saved albums")) { "Remove" }
    }
  }
}
