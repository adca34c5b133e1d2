// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The albums that the reader saved, by artist.
struct SavedAlbumsPage {
  let albums: [SavedAlbum]
  /// Whether the page is shown in place of the artist search, which needs a connection.
  var isOffline = false

  /// The page; an `AlbumPage`, so that the frame's code is compiled once.
  var page: AlbumPage {
    var page = AlbumPage(name: "Saved albums", body: body)
    page.back = isOffline ? nil : .albums
    return page
  }

  @HTMLBuilder private var body: HTML {
    if isOffline {
      p(.class("hint")) { "Search needs a connection. These are the albums that you saved." }
    } else if !albums.isEmpty {
      ul(.class("links")) { li { a(.href(.artists(.empty, nil))) { "Change artist" } } }
    }
    if albums.isEmpty {
      div(.class("message empty")) {
        Drawing.boxWithRoom.html
        h2 { "No saved albums yet" }
        p { "Albums you save appear here, offline too. Open an album and press “Save album”." }
        if !isOffline { a(.class("button primary"), .href(.artists(.empty, nil))) { "Find an artist" } }
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

  /// The reader's saved albums under a heading; empty if there are none.
  static func section(of library: Library) -> HTML {
    let albums = library.savedAlbums
    guard !albums.isEmpty else { return HTML() }
    return h2 { "Saved albums" } + SavedAlbumList(albums: albums, back: .savedAlbums).html
  }

  /// What the artist search shows before anything was searched or saved.
  static var beginning: HTML {
    div(.class("message empty")) {
      Drawing.boxWithRoom.html
      h2 { "No saved albums yet" }
      p { "Search for an artist. Albums you save appear here, offline too." }
    }
  }

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
