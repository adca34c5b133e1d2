// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// What a quiz is about, and where it is played.
struct QuizVisit {
  /// The album.
  var album: QuizAlbum
  /// Its artist, with the albums that the reader saved; *Which album?* needs two of them.
  var artist: QuizArtist?
  /// The path of the quiz, to which its forms are sent.
  var path: Text
  /// The path of the album's page.
  var albumPath: Text

  /// Makes a visit at the address that is asked for: the album's own with `/quiz` at the end of its path.
  init(_ tracks: AlbumTracks, in request: Request, library: Library, loaded: Loaded) {
    album = tracks.quizAlbum
    artist = Self.needsArtist(request) ? tracks.quizArtist(in: library, loaded: loaded) : nil
    let end: Text = "/quiz"
    let query = request.query.isEmpty ? .empty : "?" + request.query
    path = request.path + query
    albumPath = Text(request.path.bytes.dropLast(end.count)) + query
  }

  /// Whether a request needs the artist: not where a quiz on the album alone goes on, with every letter that is typed.
  static func needsArtist(_ request: Request) -> Bool {
    guard request.method == .post else { return true }
    let fields = FormFields(request.body)
    if let kind = fields["start"] { return kind == QuizKind.albums.word }
    return fields["state"].flatMap { Base64URL.decode($0) }.flatMap { QuizKind(ofState: $0) } == .albums
  }

  /// The kinds that there are enough tracks or albums for.
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

  /// What the reader has done in a kind of quiz.
  func record(_ kind: QuizKind, in library: Library) -> QuizRecord {
    if kind == .albums, let artist {
      return library.quizRecord(kind, of: artist.id, digest: artist.digest)
    }
    return library.quizRecord(kind, of: album.id, digest: album.digest)
  }
}
