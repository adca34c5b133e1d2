// Longbox
// SPDX-License-Identifier: MIT

/// The score of one played quiz.
public struct QuizScore: Equatable, Sendable {
  /// The number of right answers, including those with help.
  public let right: Int
  /// The number of right answers with help.
  public let helped: Int
  public let total: Int
  public let milliseconds: UInt64
  /// When the quiz ended: milliseconds since 1970-01-01 UTC, by the device's clock.
  public let time: UInt64

  public init(right: Int, helped: Int, total: Int, milliseconds: UInt64, time: UInt64) {
    self.right = right
    self.helped = helped
    self.total = total
    self.milliseconds = min(milliseconds, Timestamp.greatestTime)
    self.time = time
  }

  init(_ result: QuizResult, time: UInt64) {
    self.init(
      right: result.right,
      helped: result.helped,
      total: result.total,
      milliseconds: result.milliseconds,
      time: time
    )
  }

  /// Whether it beats another: a greater share right, then less help, then less time, then the earlier.
  func isBetter(than other: QuizScore) -> Bool {
    let (mine, theirs) = (right * other.total, other.right * total)
    guard mine == theirs else { return mine > theirs }
    guard helped == other.helped else { return helped < other.helped }
    guard milliseconds == other.milliseconds else { return milliseconds < other.milliseconds }
    return time < other.time
  }

  /// Appends the score: varint total, right, helped, milliseconds, time.
  func append(to bytes: inout [UInt8]) {
    bytes.appendCount(total)
    bytes.appendCount(right)
    bytes.appendCount(helped)
    bytes.appendVarint(milliseconds)
    bytes.appendVarint(time)
  }

  init(reading reader: inout ByteReader) throws(LibraryError) {
    total = try reader.count(atMost: TitleMatcher.mostTracks)
    right = try reader.count(atMost: total)
    helped = try reader.count(atMost: right)
    milliseconds = try reader.time()
    time = try reader.time()
  }
}
