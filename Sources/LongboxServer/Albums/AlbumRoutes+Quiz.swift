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
  private func artist(of album: Album, _ asked: QuizAlbum, in library: Library?) async -> QuizArtist? {
    guard let id = album.artistID, let library else { return nil }
    var choices: [QuizAlbum] = []
    for saved in library.savedAlbums where saved.artist == album.artist {
      if saved.id == album.id {
        choices.append(asked)
      } else if case .here(let details, _)? = try? await albums.album(
        saved.id,
        in: saved.country,
        within: .milliseconds(100)
      ), details.album.artistID == id {
        choices.append(QuizAlbum(details))
      }
      if choices.count == QuizArtist.mostAlbums { break }
    }
    return QuizArtist(id: id.text, name: album.artist, albums: choices)
  }
}
