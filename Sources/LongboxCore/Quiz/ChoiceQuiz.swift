// Longbox
// SPDX-License-Identifier: MIT

/// *Which comes next?* and *Which album?*: a sequence of multiple-choice questions.
public struct ChoiceQuiz: Sendable {
  public let kind: QuizKind
  public internal(set) var timer: QuizTimer
  /// The questions in order.
  public let questions: [ChoiceQuestion]
  /// The answers so far, as indices of choices.
  public private(set) var answers: [Int] = []

  private let seed: UInt64
  private let isWhole: Bool
  private let subject: QuizSubject

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

  private init(
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

  public var isOver: Bool { timer.state == .stopped }

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

  public mutating func pause(at now: UInt64) { timer.pause(at: now) }
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

/// The encoding: the timer, u8 1 if it counts for the best, u64 seed, varint number of questions, a varint
/// for the track of each, varint number of answers, a u8 for each. The rest follows from the seed.
extension ChoiceQuiz {
  public func encoded() -> [UInt8] {
    var body: [UInt8] = []
    timer.append(to: &body)
    body.appendFlag(isWhole)
    body.append64(seed)
    body.appendCount(questions.count)
    for question in questions { body.appendCount(question.track) }
    body.appendCount(answers.count)
    for answer in answers { body.append(UInt8(truncatingIfNeeded: answer)) }
    return QuizCoding.seal(body, kind, digest: subject.digest)
  }

  /// Continues *Which comes next?*.
  /// - Parameters:
  ///   - bytes: the result of ``encoded()``.
  ///   - album: the album of the quiz.
  /// - Throws: `QuizError` if the bytes are invalid or belong to another album or list of tracks.
  public init(decoding bytes: [UInt8], next album: QuizAlbum) throws(QuizError) {
    try self.init(decoding: bytes, .next, QuizSubject(album)) { ChoiceQuestion.next($0, in: album, seed: $1) }
  }

  /// Continues *Which album?*.
  /// - Parameters:
  ///   - bytes: the result of ``encoded()``.
  ///   - artist: the artist of the quiz.
  /// - Throws: `QuizError` if the bytes are invalid or belong to another artist, album or list of tracks.
  public init(decoding bytes: [UInt8], albumsOf artist: QuizArtist) throws(QuizError) {
    try self.init(decoding: bytes, .albums, QuizSubject(artist)) { track, seed in
      ChoiceQuestion.album(of: track, by: artist, seed: seed)
    }
  }

  private init(
    decoding bytes: [UInt8],
    _ kind: QuizKind,
    _ subject: QuizSubject,
    question: (Int, UInt64) -> ChoiceQuestion?
  ) throws(QuizError) {
    var reader = try QuizCoding.open(bytes, kind, digest: subject.digest)
    let state: State
    do throws(LibraryError) {
      state = try State(reading: &reader, trackCount: subject.trackCount)
    } catch {
      throw .malformed
    }
    let questions = state.tracks.compactMap { question($0, state.seed) }
    guard questions.count == state.tracks.count, state.answers.count <= questions.count else {
      throw .malformed
    }
    guard state.answers.count < questions.count || state.timer.state == .stopped else { throw .malformed }
    for (index, answer) in state.answers.enumerated() {
      guard answer < questions[index].choices.count else { throw .malformed }
    }
    try self.init(kind, subject, questions, isWhole: state.isWhole, seed: state.seed, timer: state.timer)
    answers = state.answers
  }

  /// The decoded bytes before validation.
  private struct State {
    let timer: QuizTimer
    let isWhole: Bool
    let seed: UInt64
    var tracks: [Int] = []
    var answers: [Int] = []

    init(reading reader: inout ByteReader, trackCount: Int) throws(LibraryError) {
      timer = try QuizTimer(reading: &reader)
      isWhole = try reader.flag()
      seed = try reader.word64()
      for _ in 0..<(try reader.count(atMost: ChoiceQuiz.mostQuestions)) {
        let track = try reader.count(atMost: trackCount)
        guard !tracks.contains(track) else { throw .malformed }
        tracks.append(track)
      }
      for _ in 0..<(try reader.count(atMost: ChoiceQuiz.mostQuestions)) {
        answers.append(Int(try reader.byte()))
      }
      guard reader.isAtEnd else { throw .malformed }
    }
  }
}

/// A multiple-choice question.
public struct ChoiceQuestion: Equatable, Sendable {
  /// The track that the answer counts for: the next track, or the one whose album is asked for.
  public let track: Int
  /// The title in the question: the track before, or the track itself.
  public let title: Text
  /// The choices, titles or names of albums; no two are equivalent.
  public let choices: [Text]
  /// The index of the right choice.
  public let right: Int

  static let mostChoices = 4

  /// The question which track comes after the previous one.
  /// - Returns: nil for the first track, if two equal titles are followed by different ones, or if there are
  ///   no wrong choices.
  static func next(_ track: Int, in album: QuizAlbum, seed: UInt64) -> ChoiceQuestion? {
    guard album.titles.indices.contains(track), track > 0 else { return nil }
    let before = track - 1
    let matcher = album.matcher
    guard !matcher.areAlike(before, track) else { return nil }
    for other in album.titles.indices.dropFirst() where matcher.areAlike(other - 1, before) {
      guard matcher.areAlike(other, track) else { return nil }
    }
    var random = QuizRandom(seed: seed, stream: track)
    var others = album.titles.indices.filter { !matcher.areAlike($0, track) && !matcher.areAlike($0, before) }
    random.shuffle(&others)
    var chosen = [track]
    for other in others where chosen.count < mostChoices {
      if !chosen.contains(where: { matcher.areAlike($0, other) }) { chosen.append(other) }
    }
    return make(track, title: album.titles[before], chosen, &random) { album.titles[$0] }
  }

  /// The question which album a track is on.
  /// - Returns: nil if another album has a track of equal title, or if there are no wrong choices.
  static func album(of track: Int, by artist: QuizArtist, seed: UInt64) -> ChoiceQuestion? {
    guard let place = artist.place(of: track) else { return nil }
    let title = artist.albums[place.album].titles[place.track]
    for (index, album) in artist.albums.enumerated() where index != place.album {
      if case .tracks = album.matcher.match(title) { return nil }
    }
    var random = QuizRandom(seed: seed, stream: track)
    var others = artist.albums.indices.filter { $0 != place.album }
    random.shuffle(&others)
    var chosen = [place.album]
    for other in others where chosen.count < mostChoices {
      let name = artist.albums[other].name
      if !chosen.contains(where: { artist.albums[$0].name == name }) { chosen.append(other) }
    }
    return make(track, title: title, chosen, &random) { artist.albums[$0].name }
  }

  /// Creates a question; the first of the choices passed in is the right one.
  private static func make(
    _ track: Int,
    title: Text,
    _ chosen: [Int],
    _ random: inout QuizRandom,
    name: (Int) -> Text
  ) -> ChoiceQuestion? {
    guard chosen.count > 1 else { return nil }
    var places = Array(chosen.indices)
    random.shuffle(&places)
    return ChoiceQuestion(
      track: track,
      title: title,
      choices: places.map { name(chosen[$0]) },
      right: places.firstIndex(of: 0) ?? 0
    )
  }
}

/// The subject of a multiple-choice quiz: an album or an artist.
private struct QuizSubject {
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
