// Longbox
// SPDX-License-Identifier: MIT

/// A quiz of any kind, with its state.
public enum QuizGame: Sendable {
  /// *Name the tracks*.
  case naming(NamingQuiz)
  /// *Track order*.
  case order(OrderQuiz)
  /// *Which comes next?* or *Which album?*.
  case choice(ChoiceQuiz)

  /// Starts a quiz.
  /// - Parameters:
  ///   - kind: the kind of quiz.
  ///   - album: the album.
  ///   - artist: the album's artist, with the albums to choose from in *Which album?*.
  ///   - weak: the tracks missed before.
  ///   - isPractice: whether to ask only those; *Track order* always asks for all.
  ///   - seed: a random number.
  ///   - now: milliseconds since 1970-01-01 UTC.
  /// - Throws: `QuizError.tooFew`.
  public init(
    _ kind: QuizKind,
    _ album: QuizAlbum,
    by artist: QuizArtist?,
    weak: [Int] = [],
    isPractice: Bool = false,
    seed: UInt64,
    at now: UInt64
  ) throws(QuizError) {
    switch kind {
    case .tracks: self = .naming(try NamingQuiz(album, asking: isPractice ? weak : nil, at: now))
    case .order: self = .order(try OrderQuiz(album, seed: seed, at: now))
    case .next:
      self = .choice(try ChoiceQuiz(next: album, weak: weak, isPractice: isPractice, seed: seed, at: now))
    case .albums:
      guard let artist else { throw .tooFew(needed: 2) }
      self = .choice(
        try ChoiceQuiz(albumsOf: artist, weak: weak, isPractice: isPractice, seed: seed, at: now)
      )
    }
  }

  /// Continues a quiz; its state determines the kind.
  /// - Parameters:
  ///   - bytes: the result of ``encoded()``.
  ///   - album: the album of the quiz.
  ///   - artist: the artist of the quiz.
  /// - Throws: `QuizError` if the bytes are invalid or belong to another album, artist or list of tracks.
  public init(decoding bytes: [UInt8], _ album: QuizAlbum, by artist: QuizArtist?) throws(QuizError) {
    guard let kind = QuizKind(ofState: bytes) else { throw .foreign }
    switch kind {
    case .tracks: self = .naming(try NamingQuiz(decoding: bytes, album))
    case .order: self = .order(try OrderQuiz(decoding: bytes, album))
    case .next: self = .choice(try ChoiceQuiz(decoding: bytes, next: album))
    case .albums:
      guard let artist else { throw .otherTracks }
      self = .choice(try ChoiceQuiz(decoding: bytes, albumsOf: artist))
    }
  }

  /// Encodes the state.
  public func encoded() -> [UInt8] {
    switch self {
    case .naming(let quiz): quiz.encoded()
    case .order(let quiz): quiz.encoded()
    case .choice(let quiz): quiz.encoded()
    }
  }

  /// The kind of quiz.
  public var kind: QuizKind {
    switch self {
    case .naming: .tracks
    case .order: .order
    case .choice(let quiz): quiz.kind
    }
  }

  /// The playing time.
  public var timer: QuizTimer {
    switch self {
    case .naming(let quiz): quiz.timer
    case .order(let quiz): quiz.timer
    case .choice(let quiz): quiz.timer
    }
  }

  /// The result, once the quiz is over.
  public var result: QuizResult? {
    switch self {
    case .naming(let quiz): quiz.result
    case .order(let quiz): quiz.result
    case .choice(let quiz): quiz.result
    }
  }

  /// Pauses the quiz.
  public mutating func pause(at now: UInt64) {
    switch self {
    case .naming(var quiz):
      quiz.pause(at: now)
      self = .naming(quiz)
    case .order(var quiz):
      quiz.pause(at: now)
      self = .order(quiz)
    case .choice(var quiz):
      quiz.pause(at: now)
      self = .choice(quiz)
    }
  }

  /// Resumes the quiz.
  public mutating func resume(at now: UInt64) {
    switch self {
    case .naming(var quiz):
      quiz.resume(at: now)
      self = .naming(quiz)
    case .order(var quiz):
      quiz.resume(at: now)
      self = .order(quiz)
    case .choice(var quiz):
      quiz.resume(at: now)
      self = .choice(quiz)
    }
  }

  /// Ends the quiz.
  public mutating func giveUp(at now: UInt64) {
    switch self {
    case .naming(var quiz):
      quiz.giveUp(at: now)
      self = .naming(quiz)
    case .order(var quiz):
      quiz.giveUp(at: now)
      self = .order(quiz)
    case .choice(var quiz):
      quiz.giveUp(at: now)
      self = .choice(quiz)
    }
  }
}
