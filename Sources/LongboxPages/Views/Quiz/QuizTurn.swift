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

/// One step of a quiz, made by a form.
///
/// A form has the field `state`, or `start` to begin a quiz. Of the others only the first present counts:
/// `do` (pause, resume, give-up), `hint`, `up` and `down` with a place, `from` and `to`, `judge`, `choice`
/// with a place, `guess`. Scripts add `typing` to guesses that are sent while the reader types.
struct QuizTurn {
  /// The quiz after the step; nil on the start page.
  private(set) var game: QuizGame?
  /// The message about the step, or empty.
  var message = Text.empty
  /// The text to keep in the text box: a wrong guess.
  private(set) var typed = Text.empty
  /// Whether this step ended the quiz, so that its result is to be recorded.
  private(set) var isEnded = false
  /// Whether this step judged the order, so that places are marked.
  private(set) var isJudged = false
  private(set) var error: QuizError?

  init(_ visit: QuizVisit, in request: Request, _ library: Library) {
    guard request.method == .post else { return }
    let fields = FormFields(request.body)
    do throws(QuizError) {
      if let kind = fields["start"].flatMap({ QuizKind(word: $0) }) {
        game = try QuizGame(
          kind,
          visit.album,
          by: visit.artist,
          weak: visit.record(kind, in: library).weakTracks,
          isPractice: fields["practice"] == "1",
          seed: request.random,
          at: request.now
        )
      } else {
        guard let state = fields["state"].flatMap({ Base64.url.decode($0) }) else { throw .foreign }
        var game = try QuizGame(decoding: state, visit.album, by: visit.artist)
        let wasOver = game.timer.state == .stopped
        // If a form that ended the quiz is sent again, as by a reload, the recorded end counts, and no second result.
        let last = visit.record(game.kind, in: library).last
        let recorded = last.flatMap { $0.isOf(game, at: request.now) ? $0.time : nil }
        play(&game, fields, at: recorded ?? request.now)
        isEnded = !wasOver && recorded == nil && game.timer.state == .stopped
        self.game = game
      }
    } catch {
      self.error = error
    }
  }

  private mutating func play(_ game: inout QuizGame, _ fields: FormFields, at now: UInt64) {
    // Other buttons keep the typed text.
    var guess = (fields["guess"] ?? .empty).bytes.prefix(300)
    // The limit may be within a character.
    while !guess.isUTF8 { guess = guess.dropLast() }
    typed = Text(guess)
    switch fields["do"] {
    case "pause"?: return game.pause(at: now)
    case "resume"?: return game.resume(at: now)
    case "give-up"?: return game.giveUp(at: now)
    default: break
    }
    switch game {
    case .naming(var quiz):
      play(&quiz, fields, at: now)
      game = .naming(quiz)
    case .order(var quiz):
      play(&quiz, fields, at: now)
      game = .order(quiz)
    case .choice(var quiz):
      play(&quiz, fields, at: now)
      game = .choice(quiz)
    }
  }

  private mutating func play(_ quiz: inout NamingQuiz, _ fields: FormFields, at now: UInt64) {
    if let track = fields["hint"]?.number { return quiz.giveHint(to: track) }
    guard !typed.isEmpty else { return }
    switch quiz.answer(typed, fields["typing"] == nil ? .whole : .typing, at: now) {
    case .taken(let tracks):
      message = tracks.count > 1 ? "Right: that is " + Text(decimal: tracks.count) + " tracks." : "Right."
      typed = .empty
    case .known:
      message = "Already found."
      typed = .empty
    case .ambiguous: message = "More than one track fits. Type more of it."
    case .wrong: message = "Not on this album."
    case .closed: break
    }
  }

  private mutating func play(_ quiz: inout OrderQuiz, _ fields: FormFields, at now: UInt64) {
    if let place = fields["up"]?.number { return quiz.move(from: place, to: place - 1) }
    if let place = fields["down"]?.number { return quiz.move(from: place, to: place + 1) }
    if let from = fields["from"]?.number, let to = fields["to"]?.number {
      return quiz.move(from: from, to: to)
    }
    guard fields["judge"] != nil else { return }
    let right = quiz.judge(at: now).count { $0 }
    isJudged = true
    message =
      Text(decimal: right) + " of " + Text(decimal: quiz.order.count)
      + (right == 1 ? " is in its place." : " are in their places.")
  }

  private mutating func play(_ quiz: inout ChoiceQuiz, _ fields: FormFields, at now: UInt64) {
    guard let choice = fields["choice"]?.number, let question = quiz.question else { return }
    switch quiz.choose(choice, at: now) {
    case true?: message = "Right."
    case false?: message = "No: it is “" + question.choices[question.right] + "”."
    case nil: break
    }
  }
}

extension QuizScore {
  /// Whether this is the score of a running quiz: both began at the same time, pauses left out.
  fileprivate func isOf(_ game: QuizGame, at now: UInt64) -> Bool {
    time &- milliseconds == now &- game.timer.elapsed(at: now)
  }
}
