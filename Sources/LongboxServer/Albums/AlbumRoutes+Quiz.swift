// Longbox
// SPDX-License-Identifier: MIT

import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxPages

extension AlbumRoutes {
  /// Shows the quiz on an album, or plays a turn of it; where the tracks are not known, the page says why.
  func quiz(_ name: String, _ request: Hummingbird.Request) async throws -> Hummingbird.Response {
    guard let id = StoreID(Text(string: name)) else { return try await pages.answer(request) }
    let shown = try await shown(id, Self.country(of: request), withArticle: false)
    guard let details = shown.details else {
      return try await pages.show(shown.page, reload: shown.notice?.reload, to: request)
    }
    let album = QuizAlbum(details)
    return try await pages.play(album, request) {
      await artist(of: details.album, album, in: try await pages.library(of: request))
    }
  }

  /// The album's artist with those of their albums that the reader saved, in the order of the list of saved albums.
  ///
  /// Only what is stored counts: a page of a quiz must not put questions into the store's line. At most twenty are looked for.
  private func artist(of album: Album, _ asked: QuizAlbum, in library: Library?) async -> QuizArtist? {
    guard let id = album.artistID, let library else { return nil }
    var choices: [QuizAlbum] = []
    let all = library.savedAlbums.filter { $0.artist == album.artist }
    for saved in all.prefix(QuizArtist.mostAlbums) {
      if saved.id == album.id {
        choices.append(asked)
      } else if let details = await albums.storedAlbum(saved.id, in: saved.country),
        details.album.artistID == id
      {
        choices.append(QuizAlbum(details))
      }
    }
    return QuizArtist(id: id.text, name: album.artist, albums: choices)
  }
}
