// Longbox
// SPDX-License-Identifier: MIT

/// What a reader has done in one kind of quiz on one album, on all devices together.
public struct QuizRecord: Equatable, Sendable {
  /// How often it was played.
  public internal(set) var plays = 0
  /// The best of all, practice left out.
  public internal(set) var best: QuizScore?
  /// The last of all.
  public internal(set) var last: QuizScore?
  /// The digest of the titles that ``tracks`` are of.
  let digest: UInt64
  /// What is known of each track; empty where nothing is, or the list of tracks has changed.
  var tracks: [TrackMemory] = []

  /// What is known of a track.
  struct TrackMemory: Equatable {
    /// How many times it has yet to be right to count as known: 2 after it was missed, at least 1 after help.
    var owed: UInt8 = 0
    /// When it was asked last, in milliseconds; 0 where it never was.
    var time: UInt64 = 0

    /// What is known after an answer.
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

  /// The tracks that were missed and have not been right often enough since, the weakest first: "practise what I
  /// missed".
  public var weakTracks: [Int] {
    var weak: [Int] = []
    for owed in [TrackMemory.mostOwed, 1] {
      for (track, memory) in tracks.enumerated() where memory.owed == owed { weak.append(track) }
    }
    return weak
  }

  /// Adds what a device knows.
  ///
  /// Each figure is one that the order of devices does not change: a sum, the best, the latest.
  mutating func add(_ other: QuizRecord) {
    plays += other.plays
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

  /// Takes a quiz that is over.
  mutating func take(_ result: QuizResult, knowing all: QuizRecord, at now: UInt64) {
    let score = QuizScore(result, time: now)
    plays = min(plays + 1, Self.mostPlays)
    if result.isWhole, best.map({ score.isBetter(than: $0) }) ?? true { best = score }
    last = score
    tracks = Array(repeating: TrackMemory(), count: min(result.marks.count, TitleMatcher.mostTracks))
    // An answer comes after all that its maker had in view, whatever the clock says.
    let time = min(max(now, all.latest + 1), Stamp.greatestTime)
    for track in tracks.indices {
      if track < all.tracks.count { tracks[track] = all.tracks[track] }
      tracks[track].take(result.marks[track], at: time)
    }
  }

  static let mostPlays = 1_000_000
}

/// A device's register: u8 1, varint plays, twice u8 0 or 1 and a score (best, last), u64 digest, varint time when any
/// track was asked last, varint number of tracks; for each a u8 of what is owed and a varint: 0 where it never was
/// asked, else 1 + the minutes before that time, rounded up, so that no copy is newer than what it was copied from.
extension QuizRecord {
  private static var format: UInt8 { 1 }
  private static var minute: UInt64 { 60_000 }

  /// The value of the register.
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

  /// Reads a register; nothing where it is of a newer version or makes no sense.
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
        guard age <= Stamp.greatestTime / Self.minute else { return nil }
        let before = (max(age, 1) - 1) * Self.minute
        tracks.append(TrackMemory(owed: owed, time: age == 0 || before >= latest ? 0 : latest - before))
      }
    } catch {
      return nil
    }
  }

  /// When any track was asked last.
  private var latest: UInt64 { tracks.map { $0.time }.max() ?? 0 }
}
