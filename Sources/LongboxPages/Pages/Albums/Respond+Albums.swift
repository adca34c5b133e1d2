// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// Answers what is asked for below `/albums`: with a page that the host has put on the shelf, or with the saved albums.
///
/// On the device this is a module of its own, apart from ``respond(to:archive:library:shelf:)``, which knows all else.
/// - Parameters:
///   - request: what is asked for.
///   - isSampleBox: whether the host shows its samples, which the page says.
///   - library: what the reader did; a notice that is shown is noted.
///   - shelf: whatever else the host has at hand.
public func respond(
  toAlbums request: Request,
  isSampleBox: Bool,
  library: inout Replica,
  shelf: Shelf
) -> Response {
  let notice =
    request.isRemembered && !request.isAhead ? Notice.take(from: &library, at: request.now) : nil
  let reader = Reader(library: library.library, isRemembered: request.isRemembered, notice: notice)
  let router = AlbumRouter(request: request, isSampleBox: isSampleBox, shelf: shelf, reader: reader)
  return router.response ?? router.notHere
}

/// Finds the page about albums that an address names.
struct AlbumRouter {
  let request: Request
  let isSampleBox: Bool
  let shelf: Shelf
  let reader: Reader

  /// The page; nothing where only the server can know.
  var response: Response? {
    if request.path == Link.savedAlbums.address {
      return Response(page: frame(SavedAlbumsPage(albums: reader.library.savedAlbums).page))
    }
    guard var page = shelf.albumPage else { return shelf.isOffline ? notHere : nil }
    let parts = request.path.bytes.split(separator: UInt8(ascii: "/"))
    if parts.count == 2, let album = StoreID(Text(parts[1])) {
      page.album = album
      page.isSaved = reader.library.hasSaved(album)
    }
    return Response(status: page.status, page: frame(page))
  }

  var notHere: Response {
    let body = p(.role("alert"), Attribute("data-waits")) {
      "This is not on this device. "
      a(.href(.savedAlbums)) { "The albums that you saved" }
      " are; the others can be seen when you are back online."
    }
    return Response(unknownHere: 503, page: frame(AlbumPage(name: "Albums", body: body, status: 503)))
  }

  private func frame(_ page: AlbumPage) -> HTML {
    Frame(page: page, isSampleBox: isSampleBox, shelf: shelf, reader: reader, address: request.address).html
  }
}
