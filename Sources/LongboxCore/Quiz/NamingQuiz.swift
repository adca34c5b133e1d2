// Longbox
// SPDX-License-Identifier: MIT

/// *Name the tracks*: the reader types titles in any order; each counts as soon as it is right.
///
/// It is a value without a clock or storage. The host stores ``encoded()``, on the device or in a form field.
public struct NamingQuiz: Sendable {
  public enum Answer: Equatable, Sendable {
    /// The guess names these missing tracks; several if their titles are equivalent.
    case taken([Int])
    /// The guess names tracks that are already found.
    case known([Int])
    /// The guess fits several tracks with different titles.
    case ambiguous
    /// The guess names no track, or none yet.
    case wrong
    /// The quiz is paused or over.
    case closed
  }

  public let album: QuizAlbum
  public internal(set) var timer: QuizTimer
  private var tracks: [TrackState]

  private struct TrackState: Equatable {
    var isAsked: Bool
    var isFound = false
    var hints: UInt8 = 0
  }

  /// The maximum number of hints for a title.
  public static var mostHints: Int { FirstLetters.levels }

  /// Starts a quiz.
  /// - Parameters:
  ///   - album: the album.
  ///   - asked: the tracks to ask for, such as those missed before; the others are shown. Nil asks for all.
  ///   - now: milliseconds since 1970-01-01 UTC.
  /// - Throws: `QuizError.tooFew` if there is nothing to ask.
  public init(_ album: QuizAlbum, asking asked: [Int]? = nil, at now: UInt64) throws(QuizError) {
    self.album = album
    timer = QuizTimer(at: now)
    tracks = album.titles.indices.map { TrackState(isAsked: asked?.contains($0) ?? true) }
    guard count > 0 else { throw .tooFew(needed: 1) }
  }

  /// The number of tracks asked for.
  public var count: Int { tracks.count { $0.isAsked } }
  public var foundCount: Int { tracks.count { $0.isFound } }
  public func isAsked(_ track: Int) -> Bool { tracks[track].isAsked }
  /// Whether a track is asked for and found.
  public func isFound(_ track: Int) -> Bool { tracks[track].isFound }
  /// Whether the quiz is over: all tracks are found, or the reader gave up.
  public var isOver: Bool { timer.state == .stopped }
  /// Whether all tracks are found.
  public var isComplete: Bool { foundCount == count }

  /// Evaluates a guess.
  /// - Parameters:
  ///   - guess: the reader's input.
  ///   - mode: whether the reader has finished typing.
  ///   - now: milliseconds since 1970-01-01 UTC.
  public mutating func answer(_ guess: Text, _ mode: TitleMatcher.Mode = .whole, at now: UInt64) -> Answer {
    guard timer.state == .running else { return .closed }
    switch album.matcher.match(guess, mode) {
    case .none: return .wrong
    case .ambiguous: return .ambiguous
    case .tracks(let named):
      let new = named.filter { tracks[$0].isAsked && !tracks[$0].isFound }
      guard !new.isEmpty else { return .known(named) }
      for track in new { tracks[track].isFound = true }
      if isComplete { timer.stop(at: now) }
      return .taken(new)
    }
  }

  /// Gives a hint for a missing track, or the next one.
  public mutating func giveHint(to track: Int) {
    guard timer.state == .running, tracks.indices.contains(track), isOpen(track) else { return }
    if Int(tracks[track].hints) < Self.mostHints { tracks[track].hints += 1 }
  }

  /// The current hint for a missing track, or nil.
  public func hint(to track: Int) -> Text? {
    guard tracks.indices.contains(track), isOpen(track), tracks[track].hints > 0 else { return nil }
    return FirstLetters.hint(to: album.titles[track], level: Int(tracks[track].hints))
  }

  public mutating func pause(at now: UInt64) { timer.pause(at: now) }
  public mutating func resume(at now: UInt64) { timer.resume(at: now) }
  /// Ends the quiz; missing tracks can then be shown.
  public mutating func giveUp(at now: UInt64) { timer.stop(at: now) }

  /// The result, once the quiz is over.
  public var result: QuizResult? {
    guard isOver else { return nil }
    let marks = tracks.map { track -> QuizMark in
      guard track.isAsked else { return .notAsked }
      return track.isFound ? track.hints > 0 ? .helped : .right : .missed
    }
    return QuizResult(
      kind: .tracks,
      subject: album.id,
      name: album.name,
      digest: album.digest,
      marks: marks,
      milliseconds: timer.elapsed(at: 0),
      isWhole: count == tracks.count
    )
  }

  private func isOpen(_ track: Int) -> Bool { tracks[track].isAsked && !tracks[track].isFound }
}

/// The encoding: the timer, varint number of tracks, a u8 each: 1 asked, 2 found, 4 and 8 the hints.
extension NamingQuiz {
  public func encoded() -> [UInt8] {
    var body: [UInt8] = []
    timer.append(to: &body)
    body.appendCount(tracks.count)
    for track in tracks {
      body.append((track.isAsked ? 1 : 0) | (track.isFound ? 2 : 0) | track.hints << 2)
    }
    return QuizCoding.seal(body, .tracks, digest: album.digest)
  }

  /// Continues a quiz.
  /// - Parameters:
  ///   - bytes: the result of ``encoded()``.
  ///   - album: the album of the quiz.
  /// - Throws: `QuizError` if the bytes are invalid or belong to another album or list of tracks.
  public init(decoding bytes: [UInt8], _ album: QuizAlbum) throws(QuizError) {
    self.album = album
    var reader = try QuizCoding.open(bytes, .tracks, digest: album.digest)
    do throws(LibraryError) {
      timer = try QuizTimer(reading: &reader)
      let count = try reader.count(atMost: TitleMatcher.mostTracks)
      guard count == album.titles.count else { throw .malformed }
      tracks = []
      for _ in 0..<count {
        let byte = try reader.byte()
        let track = TrackState(isAsked: byte & 1 != 0, isFound: byte & 2 != 0, hints: byte >> 2)
        guard Int(track.hints) <= Self.mostHints, track.isAsked || byte == 0 else { throw .malformed }
        tracks.append(track)
      }
      guard reader.isAtEnd else { throw .malformed }
    } catch {
      throw .malformed
    }
    guard self.count > 0, !isComplete || isOver else { throw .malformed }
  }
}

/// The hint *First letters*: a title with most letters hidden.
public enum FirstLetters {
  /// The number of hint levels; each shows more letters.
  public static var levels: Int { 2 }

  /// A title with hidden letters as middle dots, cut to 300 characters.
  /// - Parameters:
  ///   - title: the title.
  ///   - level: 1 shows the first letter of each word, 2 its first half.
  public static func hint(to title: Text, level: Int) -> Text {
    var hint: [UInt8] = []
    var word: [UInt32] = []
    for scalar in TitleLetters.scalars(of: title) {
      var letters: [UInt32] = []
      // Combining marks belong to the letter before, digits count as letters, and apostrophes don't split
      // words.
      if isApostrophe(scalar), !word.isEmpty {
        word.append(scalar)
        continue
      }
      if TitleLetters.append(scalar, to: &letters) != .separator {
        if !letters.isEmpty { word.append(scalar) }
        continue
      }
      append(word, level: level, to: &hint)
      word.removeAll()
      append(scalar, to: &hint)
    }
    append(word, level: level, to: &hint)
    return Text(hint)
  }

  private static func append(_ word: [UInt32], level: Int, to hint: inout [UInt8]) {
    let shown = level > 1 ? (word.count + 1) / 2 : 1
    for (index, scalar) in word.enumerated() {
      append(index < shown || isApostrophe(scalar) ? scalar : 0xB7, to: &hint)
    }
  }

  private static func isApostrophe(_ scalar: UInt32) -> Bool { scalar == 0x27 || scalar == 0x2019 }

  private static func append(_ scalar: UInt32, to hint: inout [UInt8]) {
    guard let scalar = Unicode.Scalar(scalar), let encoded = UTF8.encode(scalar) else { return }
    hint.append(contentsOf: encoded)
  }
}
