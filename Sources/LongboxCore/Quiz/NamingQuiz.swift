// Longbox
// SPDX-License-Identifier: MIT

/// *Name the tracks*: the reader types titles in any order, and each is taken as soon as it is right.
///
/// It is a value: it reads no clock and keeps nothing. A host keeps ``encoded()``, on the device or in a form field,
/// and goes on from there.
public struct NamingQuiz: Sendable {
  /// What came of a guess.
  public enum Answer: Equatable, Sendable {
    /// It names these tracks, which were still missing: several where they are told alike.
    case taken([Int])
    /// It names tracks that are known already.
    case known([Int])
    /// It may be meant for several tracks that are not alike.
    case ambiguous
    /// It names no track, or none yet.
    case wrong
    /// The quiz is paused or over.
    case closed
  }

  /// The album that is asked about.
  public let album: QuizAlbum
  /// How long it has been played.
  public private(set) var timer: QuizTimer
  private var tracks: [TrackState]

  private struct TrackState: Equatable {
    var isAsked: Bool
    var isFound = false
    var hints: UInt8 = 0
  }

  /// The most hints to one title.
  public static var mostHints: Int { FirstLetters.levels }

  /// Begins a quiz.
  /// - Parameters:
  ///   - album: the album.
  ///   - asked: the tracks that are asked, such as those missed before; the others are shown. Nothing asks all.
  ///   - now: milliseconds since 1970-01-01 UTC.
  /// - Throws: `QuizError.tooFew` where nothing is asked.
  public init(_ album: QuizAlbum, asking asked: [Int]? = nil, at now: UInt64) throws(QuizError) {
    self.album = album
    timer = QuizTimer(at: now)
    tracks = album.titles.indices.map { TrackState(isAsked: asked?.contains($0) ?? true) }
    guard count > 0 else { throw .tooFew(needed: 1) }
  }

  /// How many tracks are asked.
  public var count: Int { tracks.count { $0.isAsked } }
  /// How many of them are found.
  public var foundCount: Int { tracks.count { $0.isFound } }
  /// Whether a track is asked.
  public func isAsked(_ track: Int) -> Bool { tracks[track].isAsked }
  /// Whether a track is asked and found.
  public func isFound(_ track: Int) -> Bool { tracks[track].isFound }
  /// Whether nothing more can be answered: all is found, or the reader gave up.
  public var isOver: Bool { timer.state == .stopped }
  /// Whether everything is found.
  public var isComplete: Bool { foundCount == count }

  /// Takes a guess.
  /// - Parameters:
  ///   - guess: what the reader typed.
  ///   - manner: whether the reader is done typing.
  ///   - now: milliseconds since 1970-01-01 UTC.
  public mutating func answer(_ guess: Text, _ manner: TitleMatcher.Manner = .whole, at now: UInt64) -> Answer
  {
    guard timer.state == .running else { return .closed }
    switch album.matcher.match(guess, manner) {
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

  /// Gives a hint to a track that is missing, or a further one.
  public mutating func giveHint(to track: Int) {
    guard timer.state == .running, tracks.indices.contains(track), isOpen(track) else { return }
    if Int(tracks[track].hints) < Self.mostHints { tracks[track].hints += 1 }
  }

  /// The hint that was given to a track that is missing, or nothing.
  public func hint(to track: Int) -> Text? {
    guard tracks.indices.contains(track), isOpen(track), tracks[track].hints > 0 else { return nil }
    return FirstLetters.hint(to: album.titles[track], level: Int(tracks[track].hints))
  }

  /// Stops the time.
  public mutating func pause(at now: UInt64) { timer.pause(at: now) }
  /// Goes on.
  public mutating func resume(at now: UInt64) { timer.resume(at: now) }
  /// Ends the quiz; what is missing can be shown.
  public mutating func giveUp(at now: UInt64) { timer.stop(at: now) }

  /// How it went, once it is over.
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

/// The state: the timer, varint number of tracks, then a u8 each: 1 asked, 2 found, 4 and 8 the number of hints.
extension NamingQuiz {
  /// The state in bytes.
  public func encoded() -> [UInt8] {
    var body: [UInt8] = []
    timer.append(to: &body)
    body.appendCount(tracks.count)
    for track in tracks {
      body.append((track.isAsked ? 1 : 0) | (track.isFound ? 2 : 0) | track.hints << 2)
    }
    return QuizCoding.seal(body, .tracks, digest: album.digest)
  }

  /// Goes on with a quiz.
  /// - Parameters:
  ///   - bytes: what ``encoded()`` gave.
  ///   - album: the album that it was begun with.
  /// - Throws: `QuizError` where the bytes are no such state, or of another album or list of tracks.
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
