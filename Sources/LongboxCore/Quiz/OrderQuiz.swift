// Longbox
// SPDX-License-Identifier: MIT

/// *Track order*: the reader sorts an album's shuffled tracks and can check the order any number of times.
public struct OrderQuiz: Sendable {
  public let album: QuizAlbum
  public internal(set) var timer: QuizTimer
  /// The tracks in the reader's order.
  public private(set) var order: [Int]
  /// The number of checks so far.
  public private(set) var tries = 0
  /// Whether each track was in its place at the first check; empty before that.
  private var firstTry: [Bool] = []

  /// The maximum that ``tries`` counts to.
  private static let mostTries = 1000

  /// Starts a quiz.
  /// - Parameters:
  ///   - album: the album.
  ///   - seed: any number; equal seeds give equal orders.
  ///   - now: milliseconds since 1970-01-01 UTC.
  /// - Throws: `QuizError.tooFew` below two tracks, or if all titles are equivalent.
  public init(_ album: QuizAlbum, seed: UInt64, at now: UInt64) throws(QuizError) {
    self.album = album
    timer = QuizTimer(at: now)
    order = Array(album.titles.indices)
    var random = QuizRandom(seed: seed)
    random.shuffle(&order)
    // The shuffle may produce the right order. Then the tracks are rotated until one is in a wrong place.
    for _ in order.indices where isRight { order.append(order.removeFirst()) }
    guard album.titles.count > 1, !isRight else { throw .tooFew(needed: 2) }
  }

  /// Whether the track at a position belongs there; tracks with equivalent titles are interchangeable.
  public func isRight(at index: Int) -> Bool { album.matcher.areAlike(order[index], index) }

  /// Whether every track is in its place.
  public var isRight: Bool { order.indices.allSatisfy { isRight(at: $0) } }

  /// Whether the quiz is over: a check found the right order, or the reader gave up.
  public var isOver: Bool { timer.state == .stopped }

  /// Moves a track to a position and shifts the tracks between; invalid positions change nothing.
  public mutating func move(from index: Int, to target: Int) {
    guard timer.state == .running, order.indices.contains(index), order.indices.contains(target) else {
      return
    }
    order.insert(order.remove(at: index), at: target)
  }

  /// Checks the order, and ends the quiz if it is right.
  /// - Returns: whether each position is right.
  @discardableResult
  public mutating func judge(at now: UInt64) -> [Bool] {
    let places = order.indices.map { isRight(at: $0) }
    guard timer.state == .running else { return places }
    if tries == 0 {
      firstTry = Array(repeating: false, count: order.count)
      for (index, isRight) in places.enumerated() { firstTry[index] = isRight }
    }
    tries = min(tries + 1, Self.mostTries)
    if isRight { timer.stop(at: now) }
    return places
  }

  public mutating func pause(at now: UInt64) { timer.pause(at: now) }
  public mutating func resume(at now: UInt64) { timer.resume(at: now) }
  public mutating func giveUp(at now: UInt64) { timer.stop(at: now) }

  /// The result, once the quiz is over: tracks in place at the first check are right, later ones helped.
  public var result: QuizResult? {
    guard isOver else { return nil }
    let marks = order.indices.map { index -> QuizMark in
      guard isRight(at: index) else { return .missed }
      return tries > 0 && firstTry[index] ? .right : .helped
    }
    return QuizResult(
      kind: .order,
      subject: album.id,
      name: album.name,
      digest: album.digest,
      // Without a check nothing was answered.
      marks: tries > 0 ? marks : Array(repeating: .missed, count: order.count),
      milliseconds: timer.elapsed(at: 0),
      isWhole: true
    )
  }
}

/// The encoding: the timer, varint number of tracks, varint each in the reader's order, varint tries, then,
/// if there were any, a u8 each: 1 if the position was right at the first check.
extension OrderQuiz {
  public func encoded() -> [UInt8] {
    var body: [UInt8] = []
    timer.append(to: &body)
    body.appendCount(order.count)
    for track in order { body.appendCount(track) }
    body.appendCount(tries)
    for isRight in firstTry { body.appendFlag(isRight) }
    return QuizCoding.seal(body, .order, digest: album.digest)
  }

  /// Continues a quiz.
  /// - Parameters:
  ///   - bytes: the result of ``encoded()``.
  ///   - album: the album of the quiz.
  /// - Throws: `QuizError` if the bytes are invalid or belong to another album or list of tracks.
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
