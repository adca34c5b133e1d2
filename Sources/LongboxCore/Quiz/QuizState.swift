// Longbox
// SPDX-License-Identifier: MIT

/// The playing time of a quiz, without pauses.
///
/// The caller passes the current time in.
public struct QuizTimer: Equatable, Sendable {
  public enum State: UInt8, Sendable {
    case running = 0
    case paused = 1
    /// The quiz is over.
    case stopped = 2
  }

  public private(set) var state = State.running
  /// The milliseconds played up to the last pause.
  private var played: UInt64 = 0
  /// When the timer last started, in milliseconds since 1970-01-01 UTC; 0 if it isn't running.
  private var since: UInt64

  /// Creates a running timer.
  /// - Parameter now: milliseconds since 1970-01-01 UTC.
  public init(at now: UInt64) {
    since = min(now, Timestamp.greatestTime)
  }

  /// The milliseconds played; a clock that was set back doesn't reduce them.
  public func elapsed(at now: UInt64) -> UInt64 {
    guard state == .running, now > since else { return played }
    return min(played + (min(now, Timestamp.greatestTime) - since), Timestamp.greatestTime)
  }

  public mutating func pause(at now: UInt64) { halt(.paused, at: now) }

  /// Resumes a paused timer.
  public mutating func resume(at now: UInt64) {
    guard state == .paused else { return }
    state = .running
    since = min(now, Timestamp.greatestTime)
  }

  /// Stops the timer for good.
  public mutating func stop(at now: UInt64) { halt(.stopped, at: now) }

  private mutating func halt(_ next: State, at now: UInt64) {
    guard state != .stopped else { return }
    played = elapsed(at: now)
    state = next
    since = 0
  }

  /// Appends the timer: u8 state, varint milliseconds played, varint start time.
  func append(to bytes: inout [UInt8]) {
    bytes.append(state.rawValue)
    bytes.appendVarint(played)
    bytes.appendVarint(since)
  }

  init(reading reader: inout ByteReader) throws(LibraryError) {
    guard let state = State(rawValue: try reader.byte()) else { throw .malformed }
    self.state = state
    played = try reader.time()
    since = try reader.time()
    guard state == .running || since == 0 else { throw .malformed }
  }
}

/// The frame around a quiz's encoded state.
///
///     0  51 5A  (QZ)
///     2  u8  format version
///     3  u8  kind
///     4  u64 digest of the titles
///    12  the body
///   end  u32 the lower half of the XXH64 of all before it
///
/// A state fits in a form field: about forty bytes, and at most three for each track.
enum QuizCoding {
  private static let magic: [UInt8] = [0x51, 0x5A]
  private static let version: UInt8 = 1
  private static let headerLength = 12
  private static let checksumLength = 4
  private static let longest = 4096

  static func seal(_ body: [UInt8], _ kind: QuizKind, digest: UInt64) -> [UInt8] {
    var bytes = magic + [version, kind.rawValue]
    bytes.append64(digest)
    bytes.append(contentsOf: body)
    bytes.append32(UInt32(truncatingIfNeeded: XXH64.hash(bytes.span.bytes)))
    return bytes
  }

  /// Validates the frame and returns a reader of the body.
  static func open(_ bytes: [UInt8], _ kind: QuizKind, digest: UInt64) throws(QuizError) -> ByteReader {
    guard bytes.count >= 4, bytes.starts(with: magic) else { throw .foreign }
    guard bytes[2] == version else { throw .unsupportedVersion(Int(bytes[2])) }
    let end = bytes.count - checksumLength
    guard bytes.count <= longest, end >= headerLength else { throw .damaged }
    var sum: [UInt8] = []
    sum.append32(UInt32(truncatingIfNeeded: XXH64.hash(bytes.span.bytes.extracting(0..<end))))
    guard sum == Array(bytes[end...]) else { throw .damaged }
    guard bytes[3] == kind.rawValue else { throw .unexpectedKind(Int(bytes[3])) }
    guard bytes.span.bytes.word64(at: 4) == digest else { throw .otherTracks }
    return ByteReader(bytes[headerLength..<end])
  }

  /// The kind of a state, read before validation.
  static func kind(of bytes: [UInt8]) -> QuizKind? {
    guard bytes.count > 3, bytes.starts(with: magic) else { return nil }
    return QuizKind(rawValue: bytes[3])
  }
}

extension QuizKind {
  /// The kind of quiz in a state's header, or nil.
  public init?(ofState bytes: [UInt8]) {
    guard let kind = QuizCoding.kind(of: bytes) else { return nil }
    self = kind
  }
}

/// A deterministic random number generator (SplitMix64), so that a decoded quiz asks the same questions.
struct QuizRandom {
  private var state: UInt64

  /// - Parameters:
  ///   - seed: the quiz's seed.
  ///   - stream: the purpose of the numbers; each purpose has its own stream.
  init(seed: UInt64, stream: Int = 0) {
    state = seed ^ (UInt64(truncatingIfNeeded: stream) &* 0xD6E8_FEB8_6659_FD93)
  }

  /// A random number from 0 up to a bound, which is positive and small enough to make the bias negligible.
  mutating func next(below bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return Int(truncatingIfNeeded: (mixed >> 33) % UInt64(max(bound, 1)))
  }

  /// Shuffles numbers (Fisher–Yates).
  mutating func shuffle(_ numbers: inout [Int]) {
    var index = numbers.count - 1
    while index > 0 {
      numbers.swapAt(index, next(below: index + 1))
      index -= 1
    }
  }
}
