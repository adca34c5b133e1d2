// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The subject and the addresses of a quiz.
struct QuizVisit {
  var album: QuizAlbum
  /// Its artist with the reader's saved albums; *Which album?* needs at least two.
  var artist: QuizArtist?
  /// The quiz's path and query, the target of its forms.
  var path: Text
  var albumPath: Text

  /// Makes a visit from a request, whose path is the album's with `/quiz` at the end.
  init(_ tracks: AlbumTracks, in request: Request, library: Library, loaded: Loaded) {
    album = tracks.quizAlbum
    artist = Self.needsArtist(request) ? tracks.quizArtist(in: library, loaded: loaded) : nil
    let end: Text = "/quiz"
    let query = request.query.isEmpty ? .empty : "?" + request.query
    path = request.path + query
    albumPath = Text(request.path.bytes.dropLast(end.count)) + query
  }

  /// Whether a request needs the artist: forms of a quiz on one album, sent with each typed letter, don't.
  static func needsArtist(_ request: Request) -> Bool {
    guard request.method == .post else { return true }
    let fields = FormFields(request.body)
    if let kind = fields["start"] { return kind == QuizKind.albums.word }
    return fields["state"].flatMap { Base64.url.decode($0) }.flatMap { QuizKind(ofState: $0) } == .albums
  }

  /// The quizzes with enough tracks or albums.
  var kinds: [QuizKind] {
    QuizKind.allCases.filter { kind in
      do throws(QuizError) {
        _ = try QuizGame(kind, album, by: artist, seed: 1, at: 0)
        return true
      } catch {
        return false
      }
    }
  }

  func record(_ kind: QuizKind, in library: Library) -> QuizRecord {
    if kind == .albums, let artist {
      return library.quizRecord(kind, of: artist.id, digest: artist.digest)
    }
    return library.quizRecord(kind, of: album.id, digest: album.digest)
  }
}
