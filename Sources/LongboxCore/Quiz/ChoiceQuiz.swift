// Longbox
// SPDX-License-Identifier: MIT

/// *Which comes next?* and *Which album?*: a sequence of multiple-choice questions.
public struct ChoiceQuiz: Sendable {
  /// The kind of quiz.
  public let kind: QuizKind
  /// The playing time.
  public private(set) var timer: QuizTimer
  /// The questions in order.
  public let questions: [ChoiceQuestion]
  /// The answers so far, as indices of choices.
  public internal(set) var answers: [Int] = []

  let seed: UInt64
  let isWhole: Bool
  let subject: QuizSubject

  /// The maximum number of questions.
  public static var mostQuestions: Int { 20 }

  /// Starts *Which comes next?*.
  /// - Parameters:
  ///   - album: the album.
  ///   - weak: tracks to ask first, the weakest first.
  ///   - isPractice: whether to ask only those.
  ///   - seed: any number; equal seeds give equal questions.
  ///   - now: milliseconds since 1970-01-01 UTC.
  /// - Throws: `QuizError.tooFew` if there is no question.
  public init(
    next album: QuizAlbum,
    weak: [Int] = [],
    isPractice: Bool = false,
    seed: UInt64,
    at now: UInt64
  ) throws(QuizError) {
    let tracks = Self.tracks(album.titles.count, weak: weak, isPractice: isPractice, seed: seed)
    try self.init(
      .next,
      QuizSubject(album),
      Self.questions(tracks) { ChoiceQuestion.next($0, in: album, seed: seed) },
      isWhole: !isPractice,
      seed: seed,
      timer: QuizTimer(at: now)
    )
  }

  /// Starts *Which album?*.
  /// - Parameters:
  ///   - artist: the artist, with two albums or more.
  ///   - weak: tracks to ask first, the weakest first, counted through all albums.
  ///   - isPractice: whether to ask only those.
  ///   - seed: any number; equal seeds give equal questions.
  ///   - now: milliseconds since 1970-01-01 UTC.
  /// - Throws: `QuizError.tooFew` if there is no question.
  public init(
    albumsOf artist: QuizArtist,
    weak: [Int] = [],
    isPractice: Bool = false,
    seed: UInt64,
    at now: UInt64
  ) throws(QuizError) {
    let tracks = Self.tracks(artist.titles.count, weak: weak, isPractice: isPractice, seed: seed)
    try self.init(
      .albums,
      QuizSubject(artist),
      Self.questions(tracks) { ChoiceQuestion.album(of: $0, by: artist, seed: seed) },
      isWhole: !isPractice,
      seed: seed,
      timer: QuizTimer(at: now)
    )
  }

  init(
    _ kind: QuizKind,
    _ subject: QuizSubject,
    _ questions: [ChoiceQuestion],
    isWhole: Bool,
    seed: UInt64,
    timer: QuizTimer
  ) throws(QuizError) {
    guard !questions.isEmpty else { throw .tooFew(needed: kind == .albums ? 2 : 3) }
    self.kind = kind
    self.subject = subject
    self.questions = questions
    self.isWhole = isWhole
    self.seed = seed
    self.timer = timer
  }

  /// The current question, or nil if all are answered or the quiz is over.
  public var question: ChoiceQuestion? { isOver ? nil : questions[answers.count] }

  /// Whether the quiz is over.
  public var isOver: Bool { timer.state == .stopped }

  /// The number of right answers.
  public var rightCount: Int { answers.indices.count { answers[$0] == questions[$0].right } }

  /// Answers the current question.
  /// - Returns: whether the answer is right; nil if the quiz isn't running or there is no such choice.
  @discardableResult
  public mutating func choose(_ choice: Int, at now: UInt64) -> Bool? {
    guard timer.state == .running, let question, question.choices.indices.contains(choice) else { return nil }
    answers.append(choice)
    if answers.count == questions.count { timer.stop(at: now) }
    return choice == question.right
  }

  /// Pauses the quiz.
  public mutating func pause(at now: UInt64) { timer.pause(at: now) }
  /// Resumes the quiz.
  public mutating func resume(at now: UInt64) { timer.resume(at: now) }
  /// Ends the quiz; unanswered questions count as missed.
  public mutating func giveUp(at now: UInt64) { timer.stop(at: now) }

  /// The result, once the quiz is over.
  public var result: QuizResult? {
    guard isOver else { return nil }
    var marks = Array(repeating: QuizMark.notAsked, count: subject.trackCount)
    for (index, question) in questions.enumerated() {
      let isRight = index < answers.count && answers[index] == question.right
      marks[question.track] = isRight ? .right : .missed
    }
    return QuizResult(
      kind: kind,
      subject: subject.id,
      name: subject.name,
      digest: subject.digest,
      marks: marks,
      milliseconds: timer.elapsed(at: 0),
      isWhole: isWhole
    )
  }
}

extension ChoiceQuiz {
  /// The tracks to ask for, weak ones first, the others in random order; may be more than are asked.
  private static func tracks(_ count: Int, weak: [Int], isPractice: Bool, seed: UInt64) -> [Int] {
    var tracks: [Int] = []
    for track in weak where (0..<count).contains(track) && !tracks.contains(track) { tracks.append(track) }
    guard !isPractice else { return tracks }
    var others = (0..<count).filter { !tracks.contains($0) }
    var random = QuizRandom(seed: seed, stream: -1)
    random.shuffle(&others)
    return tracks + others
  }

  private static func questions(
    _ tracks: [Int],
    question: (Int) -> ChoiceQuestion?
  ) -> [ChoiceQuestion] {
    var questions: [ChoiceQuestion] = []
    for track in tracks where questions.count < mostQuestions {
      if let question = question(track) { questions.append(question) }
    }
    return questions
  }
}
