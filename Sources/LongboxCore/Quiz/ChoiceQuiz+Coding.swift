// Longbox
// SPDX-License-Identifier: MIT

/// The state: the timer, u8 1 where it counts for the best, u64 seed, varint number of questions, a varint for the
/// track of each, varint number of answers, a u8 for each. The rest follows from the seed.
extension ChoiceQuiz {
  /// The state in bytes.
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

  /// Goes on with *Which comes next?*.
  /// - Parameters:
  ///   - bytes: what ``encoded()`` gave.
  ///   - album: the album that it was begun with.
  /// - Throws: `QuizError` where the bytes are no such state, or of another album or list of tracks.
  public init(decoding bytes: [UInt8], next album: QuizAlbum) throws(QuizError) {
    try self.init(decoding: bytes, .next, QuizSubject(album)) { ChoiceQuestion.next($0, in: album, seed: $1) }
  }

  /// Goes on with *Which album?*.
  /// - Parameters:
  ///   - bytes: what ``encoded()`` gave.
  ///   - artist: the artist that it was begun with.
  /// - Throws: `QuizError` where the bytes are no such state, or of another artist, other albums or tracks.
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

  /// What the bytes say, before it is known to make sense.
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
