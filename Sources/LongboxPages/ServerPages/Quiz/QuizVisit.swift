// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// What a quiz is about, and where it is played.
public struct QuizVisit: Sendable {
  /// The album.
  public var album: QuizAlbum
  /// Its artist, with the albums that the reader saved; *Which album?* needs two of them.
  public var artist: QuizArtist?
  /// The path of the quiz, to which its forms are sent.
  public var path: Text
  /// The path of the album's page.
  public var albumPath: Text

  /// Makes a visit.
  public init(album: QuizAlbum, artist: QuizArtist?, path: Text, albumPath: Text) {
    self.album = album
    self.artist = artist
    self.path = path
    self.albumPath = albumPath
  }

  /// Makes a visit at the address that is asked for: the album's own with `/quiz` at the end of its path.
  public init(album: QuizAlbum, artist: QuizArtist?, at request: Request) {
    let end: Text = "/quiz"
    let query = request.query.isEmpty ? .empty : "?" + request.query
    self.init(
      album: album,
      artist: artist,
      path: request.path + query,
      albumPath: Text(request.path.bytes.dropLast(end.count)) + query
    )
  }

  /// Whether a request needs the artist: not where a quiz on the album alone goes on, with every letter that is typed.
  public static func needsArtist(_ request: Request) -> Bool {
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

/// Plays a turn of a quiz by plain forms, and renders what comes of it.
///
/// The quiz's state goes with the form, so that a host keeps nothing. A quiz that ends is recorded in the library.
/// - Parameters:
///   - visit: what the quiz is about.
///   - request: what was asked for: the start page, or a form.
///   - isSampleBox: whether the host shows its samples, which the page says.
///   - library: what the reader did; a result is added.
///   - shelf: whatever else the host has at hand.
public func respond(
  toQuiz visit: QuizVisit,
  in request: Request,
  isSampleBox: Bool,
  library: inout Replica,
  shelf: Shelf
) -> Response {
  var turn = QuizTurn(visit, in: request, library.library)
  if turn.isEnded, let result = turn.game?.result {
    let moment = library.moment(at: request.now)
    do throws(LibraryError) {
      try library.library.record(result, at: moment)
    } catch {
      turn.message = "Your library is full, so that this result could not be kept."
    }
  }
  let page = QuizPage(visit: visit, turn: turn, library: library.library, now: request.now)
  let reader = Reader(library: library.library, isRemembered: request.isRemembered, notice: nil)
  var response = Response(
    status: turn.error == nil ? 200 : 400,
    page: Frame(
      page: page,
      isSampleBox: isSampleBox,
      shelf: shelf,
      reader: reader,
      address: visit.path
    )
    .html
  )
  response.keeping = .never
  return response
}
