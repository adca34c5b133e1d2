// Longbox
// SPDX-License-Identifier: MIT

/// The subject of a multiple-choice quiz: an album or an artist.
struct QuizSubject: Sendable {
  let id: Text
  let name: Text
  let digest: UInt64
  let trackCount: Int

  init(_ album: QuizAlbum) {
    id = album.id
    name = album.name
    digest = album.digest
    trackCount = album.titles.count
  }

  init(_ artist: QuizArtist) {
    id = artist.id
    name = artist.name
    digest = artist.digest
    trackCount = artist.titles.count
  }
}
