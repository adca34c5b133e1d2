// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

extension PageRouter {
  /// `/albums/saved`, which needs the library only; or a page that the host has put on the shelf.
  func albums(_ parts: ArraySlice<Text>) -> Response {
    if parts.count == 1, parts.first == "saved" {
      return Response(page: frame(SavedAlbumsPage(albums: reader.library.savedAlbums).page))
    }
    guard var page = shelf.albumPage else {
      return shelf.isOffline ? Response(unknownHere: 503, page: frame(Self.notHere)) : notFound
    }
    if parts.count == 1, let album = parts.first.flatMap({ StoreID($0) }) {
      page.album = album
      page.isSaved = reader.library.hasSaved(album)
    }
    return Response(status: page.status, page: frame(page))
  }

  private static var notHere: AlbumPage {
    let body = p(.role("alert"), Attribute("data-waits")) {
      "This is not on this device. "
      a(.href(.savedAlbums)) { "The albums that you saved" }
      " are; the others can be seen when you are back online."
    }
    return AlbumPage(name: "Albums", body: body, status: 503)
  }
}
