// Longbox
// SPDX-License-Identifier: MIT

/// The encoding: the timer, u8 1 if it counts for the best, u64 seed, varint number of questions, a varint
/// for the track of each, varint number of answers, a u8 for each. The rest follows from the seed.
extension ChoiceQuiz {
  /// Encodes the state.
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
