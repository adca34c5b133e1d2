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

  public func encoded() -> [UInt8] {
    switch self {
    case .naming(let quiz): quiz.encoded()
    case .order(let quiz): quiz.encoded()
    case .choice(let quiz): quiz.encoded()
    }
  }

  public var kind: QuizKind {
    switch self {
    case .naming: .tracks
    case .order: .order
    case .choice(let quiz): quiz.kind
    }
  }

  public private(set) var timer: QuizTimer {
    get {
      switch self {
      case .naming(let quiz): quiz.timer
      case .order(let quiz): quiz.timer
      case .choice(let quiz): quiz.timer
      }
    }
    set {
      switch self {
      case .naming(var quiz):
        quiz.timer = newValue
        self = .naming(quiz)
      case .order(var quiz):
        quiz.timer = newValue
        self = .order(quiz)
      case .choice(var quiz):
        quiz.timer = newValue
        self = .choice(quiz)
      }
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

  public mutating func pause(at now: UInt64) { timer.pause(at: now) }
  public mutating func resume(at now: UInt64) { timer.resume(at: now) }
  public mutating func giveUp(at now: UInt64) { timer.stop(at: now) }
}

public enum QuizKind: UInt8, CaseIterable, Sendable {
  /// Name the tracks of an album, in any order.
  case tracks = 1
  /// Put the tracks of an album in order.
  case order = 2
  /// Which track comes after this one?
  case next = 3
  /// Which album of an artist is this track on?
  case albums = 4

  /// The word for the kind in keys and addresses; it must never change.
  public var word: Text {
    switch self {
    case .tracks: "tracks"
    case .order: "order"
    case .next: "next"
    case .albums: "albums"
    }
  }

  public init?(word: Text) {
    for kind in Self.allCases where kind.word == word {
      self = kind
      return
    }
    return nil
  }

  /// The title in the interface.
  public var title: Text {
    switch self {
    case .tracks: "Name the tracks"
    case .order: "Track order"
    case .next: "Which comes next?"
    case .albums: "Which album?"
    }
  }
}

/// An error in starting or decoding a quiz.
public enum QuizError: Error, Hashable, Sendable {
  /// The album or artist has fewer tracks or albums than the quiz needs.
  case tooFew(needed: Int)
  /// The bytes don't begin with the magic number.
  case foreign
  /// This version doesn't read the format version.
  case unsupportedVersion(Int)
  /// The state belongs to another kind of quiz.
  case unexpectedKind(Int)
  /// The checksum doesn't match, or the length is wrong.
  case damaged
  /// The state belongs to other tracks than the album's.
  case otherTracks
  /// The checksum matches, but the content is invalid.
  case malformed
}

#if !hasFeature(Embedded)
extension QuizError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .tooFew(let needed): "This quiz needs at least \(needed) to choose from. Try another kind or album."
    case .foreign: "This is not the state of a quiz. Start the quiz again."
    case .unsupportedVersion(let version):
      "This quiz was begun with format version \(version), which this version of Longbox does not read."
    case .unexpectedKind(let kind):
      "This is the state of another kind of quiz (\(kind)). Start the quiz again."
    case .damaged: "The state of this quiz is damaged. Start the quiz again."
    case .otherTracks:
      "The album's list of tracks has changed since the quiz was begun. Start the quiz again."
    case .malformed: "The state of this quiz makes no sense. Start the quiz again."
    }
  }
}
#endif
