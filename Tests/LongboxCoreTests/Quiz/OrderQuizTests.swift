// Longbox
// SPDX-License-Identifier: MIT

import Testing

@testable import LongboxCore

struct OrderQuizTests {
  private let album = QuizSamples.album

  @Test(arguments: 0..<200)
  func `starts in any order but the right one`(seed: UInt64) throws {
    let quiz = try OrderQuiz(album, seed: seed, at: 0)
    #expect(quiz.order.sorted() == Array(0..<10))
    #expect(!quiz.isRight)
    #expect(try OrderQuiz(album, seed: seed, at: 0).order == quiz.order)
    let two = QuizAlbum(id: "2", name: "", titles: ["Lid", "Box"])
    #expect(try OrderQuiz(two, seed: seed, at: 0).order == [1, 0])
  }

  @Test func `moves tracks, judges the order, and ends when all are right`() throws {
    var quiz = try OrderQuiz(album, seed: 1, at: 0)
    quiz.move(from: -1, to: 3)
    quiz.move(from: 0, to: 10)
    // All are in order but the first two, which are swapped.
    sort(&quiz, into: [1, 0] + Array(2..<10))
    #expect(quiz.judge(at: 5000) == [false, false] + Array(repeating: true, count: 8))
    #expect(!quiz.isOver && quiz.tries == 1)
    quiz.move(from: 1, to: 0)
    let kept = try OrderQuiz(decoding: quiz.encoded(), album)
    #expect(kept.encoded() == quiz.encoded() && kept.order == quiz.order)
    quiz = kept
    #expect(quiz.judge(at: 7000).allSatisfy { $0 })
    #expect(quiz.isOver)
    let result = try #require(quiz.result)
    #expect(result.right == 10 && result.helped == 2 && result.milliseconds == 7000)
    #expect(result.marks[0] == .helped && result.marks[2] == .right)
    quiz.move(from: 0, to: 1)
    #expect(quiz.isRight, "what is over stays")
  }

  @Test func `accepts tracks with equal titles in either order`() throws {
    var quiz = try OrderQuiz(album, seed: 1, at: 0)
    sort(&quiz, into: [0, 1, 6, 3, 4, 5, 2, 7, 8, 9])
    quiz.judge(at: 1)
    #expect(quiz.isOver)
    #expect(throws: QuizError.tooFew(needed: 2)) {
      try OrderQuiz(QuizAlbum(id: "1", name: "", titles: ["Box", "Box (Live)"]), seed: 1, at: 0)
    }
  }

  @Test func `counts nothing right where the reader gives up before judging`() throws {
    var quiz = try OrderQuiz(album, seed: 1, at: 0)
    quiz.giveUp(at: 10)
    #expect(quiz.result?.right == 0)
    #expect(try OrderQuiz(decoding: quiz.encoded(), album).result == quiz.result)
  }

  /// Orders the tracks by moves alone.
  private func sort(_ quiz: inout OrderQuiz, into order: [Int]) {
    for (place, track) in order.enumerated() {
      guard let from = quiz.order.firstIndex(of: track) else { continue }
      quiz.move(from: from, to: place)
    }
    #expect(quiz.order == order)
  }
}
