// Longbox
// SPDX-License-Identifier: MIT

/// *Track order*: the reader puts the shuffled tracks of an album in order, and has it judged as often as they like.
public struct OrderQuiz: Sendable {
  /// The album that is asked about.
  public let album: QuizAlbum
  /// How long it has been played.
  public private(set) var timer: QuizTimer
  /// The tracks in the order that the reader has put them in.
  public private(set) var order: [Int]
  /// How often the order was judged.
  public private(set) var tries = 0
  /// Whether each track stood at its place when the order was first judged; empty before that.
  private var firstTry: [Bool] = []

  /// The most times that are counted.
  private static let mostTries = 1000

  /// Begins a quiz.
  /// - Parameters:
  ///   - album: the album.
  ///   - seed: any number; equal ones give equal orders.
  ///   - now: milliseconds since 1970-01-01 UTC.
  /// - Throws: `QuizError.tooFew` below two tracks, or where all are told alike.
  public init(_ album: QuizAlbum, seed: UInt64, at now: UInt64) throws(QuizError) {
    self.album = album
    timer = QuizTimer(at: now)
    order = Array(album.titles.indices)
    var random = QuizRandom(seed: seed)
    random.shuffle(&order)
    // An order that is right by chance is no question: the tracks go on by one, until one is at a wrong place.
    for _ in order.indices where isRight { order.append(order.removeFirst()) }
    guard album.titles.count > 1, !isRight else { throw .tooFew(needed: 2) }
  }

  /// Whether the track at a place belongs there; of tracks that are told alike, any does.
  public func isRight(at place: Int) -> Bool { album.matcher.areAlike(order[place], place) }

  /// Whether every track is at its place.
  public var isRight: Bool { order.indices.allSatisfy { isRight(at: $0) } }

  /// Whether the quiz is over: the order was judged right, or the reader gave up.
  public var isOver: Bool { timer.state == .stopped }

  /// Moves a track to a place; those between move on by one, and a place that there is not changes nothing.
  public mutating func move(from place: Int, to target: Int) {
    guard timer.state == .running, order.indices.contains(place), order.indices.contains(target) else {
      return
    }
    order.insert(order.remove(at: place), at: target)
  }

  /// Judges the order, and ends the quiz where it is right.
  /// - Returns: whether each place is right.
  @discardableResult
  public mutating func judge(at now: UInt64) -> [Bool] {
    let places = order.indices.map { isRight(at: $0) }
    guard timer.state == .running else { return places }
    if tries == 0 {
      firstTry = Array(repeating: false, count: order.count)
      for (place, isRight) in places.enumerated() { firstTry[place] = isRight }
    }
    tries = min(tries + 1, Self.mostTries)
    if isRight { timer.stop(at: now) }
    return places
  }

  /// Stops the time.
  public mutating func pause(at now: UInt64) { timer.pause(at: now) }
  /// Goes on.
  public mutating func resume(at now: UInt64) { timer.resume(at: now) }
  /// Ends the quiz as it stands.
  public mutating func giveUp(at now: UInt64) { timer.stop(at: now) }

  /// How it went, once it is over: a track is right that was at its place at the first judging, helped if later.
  public var result: QuizResult? {
    guard isOver else { return nil }
    let marks = order.indices.map { place -> QuizMark in
      guard isRight(at: place) else { return .missed }
      return tries > 0 && firstTry[place] ? .right : .helped
    }
    return QuizResult(
      kind: .order,
      subject: album.id,
      name: album.name,
      digest: album.digest,
      // Without a judging nothing was answered.
      marks: tries > 0 ? marks : Array(repeating: .missed, count: order.count),
      milliseconds: timer.elapsed(at: 0),
      isWhole: true
    )
  }
}

/// The state: the timer, varint number of tracks, varint each in the reader's order, varint tries, then, where there
/// were any, a u8 each: 1 where the place was right at the first.
extension OrderQuiz {
  /// The state in bytes.
  public func encoded() -> [UInt8] {
    var body: [UInt8] = []
    timer.append(to: &body)
    body.appendCount(order.count)
    for track in order { body.appendCount(track) }
    body.appendCount(tries)
    for isRight in firstTry { body.appendFlag(isRight) }
    return QuizCoding.seal(body, .order, digest: album.digest)
  }

  /// Goes on with a quiz.
  /// - Parameters:
  ///   - bytes: what ``encoded()`` gave.
  ///   - album: the album that it was begun with.
  /// - Throws: `QuizError` where the bytes are no such state, or of another album or list of tracks.
  public init(decoding bytes: [UInt8], _ album: QuizAlbum) throws(QuizError) {
    self.album = album
    var reader = try QuizCoding.open(bytes, .order, digest: album.digest)
    do throws(LibraryError) {
      timer = try QuizTimer(reading: &reader)
      let count = try reader.count(atMost: TitleMatcher.mostTracks)
      guard count == album.titles.count, count > 1 else { throw .malformed }
      var seen = Array(repeating: false, count: count)
      order = []
      for _ in 0..<count {
        let track = try reader.count(atMost: count - 1)
        guard !seen[track] else { throw .malformed }
        seen[track] = true
        order.append(track)
      }
      tries = try reader.count(atMost: Self.mostTries)
      for _ in 0..<(tries > 0 ? count : 0) { firstTry.append(try reader.flag()) }
      guard reader.isAtEnd else { throw .malformed }
    } catch {
      throw .malformed
    }
  }
}
