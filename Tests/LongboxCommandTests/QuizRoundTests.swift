// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Synchronization
import Testing

@testable import longbox

@Suite("A quiz in the terminal") struct QuizRoundTests {
  private let album = QuizAlbum(
    id: "9101",
    name: "Index Cards",
    titles: ["See Also", "Misfiled", "Ibid.", "Overdue"]
  )

  /// A round in which these lines are typed, a second apart.
  private func round(_ lines: [String]) -> QuizRound {
    let clock = SecondsClock()
    let input = TypedLines(lines)
    return QuizRound(
      console: Console(environment: [:]),
      now: { clock.next() },
      read: { input.next() }
    )
  }

  @Test func `takes titles in any order`() throws {
    var round = round(["misfiled", "OVERDUE", "nonsense", "ibid", "see also"])
    let result = try #require(try round.playTracks(album))
    #expect(result.right == 4 && result.total == 4 && result.helped == 0)
    #expect(result.milliseconds > 0)
  }

  @Test func `counts hints, and what was given up`() throws {
    var round = round(["", "see also", "?", "."])
    let result = try #require(try round.playTracks(album))
    #expect(result.right == 1 && result.helped == 1 && result.missed.count == 3)
  }

  @Test func `has no result when the input ends`() throws {
    var tracks = round(["misfiled"])
    #expect(try tracks.playTracks(album) == nil)
    var next = round([])
    #expect(try next.playNext(album, seed: 1) == nil)
  }

  @Test func `asks which song comes next`() throws {
    var quiz = try ChoiceQuiz(next: album, seed: 7, at: 0)
    var lines = ["9", "x"]
    while let question = quiz.question {
      lines.append("\(question.right + 1)")
      quiz.choose(question.right, at: 0)
    }
    var round = round(lines)
    let result = try #require(try round.playNext(album, seed: 7))
    #expect(result.right == result.total && result.total == 3)
  }
}

/// A clock that goes on by a second at each look.
private final class SecondsClock: Sendable {
  private let time = Mutex<UInt64>(1_700_000_000_000)

  func next() -> UInt64 {
    time.withLock { time in
      time += 1000
      return time
    }
  }
}

/// Lines that are typed one after another.
private final class TypedLines: Sendable {
  private let lines: Mutex<ArraySlice<String>>

  init(_ lines: [String]) { self.lines = Mutex(lines[...]) }

  func next() -> String? { lines.withLock { $0.popFirst() } }
}
