// Longbox
// SPDX-License-Identifier: MIT

/// A reader's record in one kind of quiz on one album, over all devices.
public struct QuizRecord: Equatable, Sendable {
  public internal(set) var plays = 0
  /// The best score, without practice.
  public fileprivate(set) var best: QuizScore?
  /// The latest score on this list or an earlier one, practice included.
  public fileprivate(set) var last: QuizScore?
  /// The digest of the titles that ``tracks`` refers to.
  let digest: UInt64
  /// The memory of each track; empty if there is none, or if the list of tracks has changed.
  var tracks: [TrackMemory] = []

  /// The reader's memory of a track.
  struct TrackMemory: Equatable {
    /// How many more right answers it needs to count as known: 2 after a miss, at least 1 after help.
    var owed: UInt8 = 0
    /// When it was last asked, in milliseconds; 0 if never.
    var time: UInt64 = 0

    mutating func take(_ mark: QuizMark, at now: UInt64) {
      switch mark {
      case .notAsked: return
      case .right: owed -= owed > 0 ? 1 : 0
      case .helped: owed = max(owed, 1)
      case .missed: owed = Self.mostOwed
      }
      time = now
    }

    static let mostOwed: UInt8 = 2
  }

  init(digest: UInt64) {
    self.digest = digest
  }

  /// The tracks that were missed or needed help, without enough right answers since; weakest first.
  public var weakTracks: [Int] {
    var weak: [Int] = []
    for owed in [TrackMemory.mostOwed, 1] {
      for (track, memory) in tracks.enumerated() where memory.owed == owed { weak.append(track) }
    }
    return weak
  }

  /// Combines with another device's record.
  ///
  /// Each figure is independent of the order: a sum, a maximum or the latest.
  mutating func add(_ other: QuizRecord) {
    plays = min(plays + other.plays, Self.mostPlays)
    if let score = other.best, best.map({ score.isBetter(than: $0) }) ?? true { best = score }
    if let score = other.last, last.map({ score.time > $0.time }) ?? true { last = score }
    guard other.digest == digest else { return }
    while tracks.count < other.tracks.count { tracks.append(TrackMemory()) }
    for (track, theirs) in other.tracks.enumerated() {
      let mine = tracks[track]
      if theirs.time > mine.time || theirs.time == mine.time && theirs.owed > mine.owed {
        tracks[track] = theirs
      }
    }
  }

  /// Adds a result.
  /// - Parameter all: the record over all devices.
  mutating func take(_ result: QuizResult, knowing all: QuizRecord, at now: UInt64) {
    let score = QuizScore(result, time: now)
    plays = min(plays + 1, Self.mostPlays)
    if result.isWhole, best.map({ score.isBetter(than: $0) }) ?? true { best = score }
    last = score
    tracks = Array(repeating: TrackMemory(), count: min(result.marks.count, TitleMatcher.mostTracks))
    // An answer must be later than all known ones, even if the clock is behind.
    let time = min(max(now, all.latest + 1), Timestamp.greatestTime)
    for track in tracks.indices {
      if track < all.tracks.count { tracks[track] = all.tracks[track] }
      tracks[track].take(result.marks[track], at: time)
    }
  }

  private var latest: UInt64 { tracks.map { $0.time }.max() ?? 0 }

  static let mostPlays = 1_000_000
}

/// The encoding of a device's register: u8 1, varint plays, twice u8 0 or 1 and a score (best, last), u64
/// digest, varint time when any track was last asked, varint number of tracks; for each a u8 `owed` and a
/// varint, 0 if never asked, else 1 + the minutes before that time (rounded up, so a copy is never newer).
extension QuizRecord {
  private static var format: UInt8 { 1 }
  private static var minute: UInt64 { 60_000 }

  var value: Text {
    var bytes = [Self.format]
    bytes.appendCount(plays)
    for score in [best, last] {
      bytes.appendFlag(score != nil)
      score?.append(to: &bytes)
    }
    bytes.append64(digest)
    let latest = latest
    bytes.appendVarint(latest)
    bytes.appendCount(tracks.count)
    for track in tracks {
      bytes.append(track.owed)
      bytes.appendVarint(track.time == 0 ? 0 : (latest - track.time + Self.minute - 1) / Self.minute + 1)
    }
    return Text(bytes)
  }

  /// Decodes a register; nil if it is invalid or of a newer format.
  init?(_ value: Text) {
    var reader = ByteReader(value.bytes)
    do throws(LibraryError) {
      guard try reader.byte() == Self.format else { return nil }
      let plays = try reader.count(atMost: Self.mostPlays)
      let best = try reader.flag() ? try QuizScore(reading: &reader) : nil
      let last = try reader.flag() ? try QuizScore(reading: &reader) : nil
      self.init(digest: try reader.word64())
      self.plays = plays
      self.best = best
      self.last = last
      let latest = try reader.time()
      for _ in 0..<(try reader.count(atMost: TitleMatcher.mostTracks)) {
        let owed = min(try reader.byte(), TrackMemory.mostOwed)
        let age = try reader.time()
        guard age <= Timestamp.greatestTime / Self.minute else { return nil }
        let before = (max(age, 1) - 1) * Self.minute
        tracks.append(TrackMemory(owed: owed, time: age == 0 || before >= latest ? 0 : latest - before))
      }
    } catch {
      return nil
    }
  }
}

/// Quiz records: `saved/quiz/tracks/1440857781/00000000000000A1`.
///
/// A merge keeps one value of a key, so two devices that play the same quiz would lose one result. So each
/// device writes its own register, named after its number, and readers combine all of them.
extension Library {
  /// The reader's record in a kind of quiz, over all devices.
  /// - Parameters:
  ///   - kind: the kind of quiz.
  ///   - subject: the identifier of the album or, for *Which album?*, of the artist.
  ///   - digest: the digest of the titles; data about another list of tracks is ignored.
  public func quizRecord(_ kind: QuizKind, of subject: Text, digest: UInt64) -> QuizRecord {
    var record = QuizRecord(digest: digest)
    for index in places(under: Self.quizPrefix(kind, subject)) {
      if let value = entries[index].value, let other = QuizRecord(value) { record.add(other) }
    }
    return record
  }

  /// Adds a result to the record.
  /// - Throws: `LibraryError.savedName` if the subject is empty or has a slash, `LibraryError.keyLength`, or
  ///   `LibraryError.full`.
  @discardableResult
  public mutating func record(_ result: QuizResult, at editTime: EditTime) throws(LibraryError) -> Undo {
    guard !result.subject.isEmpty, !result.subject.bytes.contains(UInt8(ascii: "/")) else { throw .savedName }
    let key = try LibraryKey(
      Self.quizPrefix(result.kind, result.subject) + Text(hexadecimal: editTime.timestamp.device)
    )
    let all = quizRecord(result.kind, of: result.subject, digest: result.digest)
    // Data about another list of tracks is dropped; the scores stay.
    let old = value(key).flatMap { QuizRecord($0) }
    var record = QuizRecord(digest: result.digest)
    record.plays = old?.plays ?? 0
    record.best = old?.best
    record.take(result, knowing: all, at: editTime.time)
    return try set(key, to: record.value, timestamp: editTime.timestamp)
  }

  private static func quizPrefix(_ kind: QuizKind, _ subject: Text) -> Text {
    "saved/quiz/" + kind.word + "/" + subject + "/"
  }
}

extension Text {
  fileprivate init(hexadecimal number: UInt64) {
    self.init(
      (0..<16).map { UInt8(hexadecimalDigit: UInt8(number >> UInt64(60 - 4 * $0) & 15), isUppercase: true) }
    )
  }
}
