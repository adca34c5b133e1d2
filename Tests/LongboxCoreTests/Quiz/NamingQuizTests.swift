// Longbox
// SPDX-License-Identifier: MIT

import Testing

@testable import LongboxCore

struct NamingQuizTests {
  private let album = QuizSamples.album

  @Test func `accepts titles in any order, equal ones together, and ends with the last`() throws {
    var quiz = try NamingQuiz(album, at: 1000)
    #expect(quiz.count == 10 && quiz.foundCount == 0)
    #expect(quiz.answer("harbour", at: 2000) == .taken([2, 6]))
    #expect(quiz.answer("Harbour (live)", at: 2000) == .known([6]))
    #expect(quiz.answer("suite", at: 2000) == .ambiguous)
    #expect(quiz.answer("box", at: 2000) == .wrong)
    for guess in [
      "lnog box", "paper lanterns", "salt honey", "suite part two", "ete", "ninety nine umbrellas",
    ] {
      guard case .taken(let tracks) = quiz.answer(Text(string: guess), at: 3000) else {
        Issue.record("\(guess) is not taken")
        continue
      }
      #expect(tracks.count == 1)
    }
    #expect(quiz.answer("suite part 1", at: 3500) == .taken([3]))
    #expect(!quiz.isOver && quiz.result == nil)
    #expect(quiz.answer("a box of paper", at: 4000) == .taken([7]))
    #expect(quiz.isOver && quiz.isComplete)
    #expect(quiz.answer("suite part 1", at: 5000) == .closed)
    let result = try #require(quiz.result)
    #expect(result.right == 10 && result.total == 10 && result.milliseconds == 3000 && result.isWhole)
  }

  @Test func `counts the time without pauses, and accepts nothing during them`() throws {
    var quiz = try NamingQuiz(album, at: 1000)
    quiz.pause(at: 3000)
    #expect(quiz.answer("ete", at: 4000) == .closed)
    quiz.pause(at: 5000)
    quiz.resume(at: 10_000)
    quiz.resume(at: 10_500)
    #expect(quiz.timer.elapsed(at: 11_000) == 3000)
    #expect(quiz.timer.elapsed(at: 0) == 2000, "a clock that was set back takes nothing away")
    quiz.giveUp(at: 12_000)
    quiz.resume(at: 13_000)
    #expect(quiz.isOver && quiz.timer.elapsed(at: 99_000) == 4000)
    #expect(quiz.result?.missed == Array(0..<10))
  }

  @Test func `asks some of the tracks, and shows the others`() throws {
    var quiz = try NamingQuiz(album, asking: [5, 6, 40], at: 0)
    #expect(quiz.count == 2 && !quiz.isAsked(0) && quiz.isAsked(5))
    #expect(quiz.answer("paper lanterns", at: 1) == .known([0]))
    #expect(quiz.answer("harbour", at: 1) == .taken([6]))
    #expect(quiz.answer("ete", at: 2) == .taken([5]))
    let result = try #require(quiz.result)
    #expect(result.total == 2 && !result.isWhole && result.marks[0] == .notAsked)
    #expect(throws: QuizError.tooFew(needed: 1)) { try NamingQuiz(album, asking: [], at: 0) }
    #expect(throws: QuizError.tooFew(needed: 1)) {
      try NamingQuiz(QuizAlbum(id: "1", name: "", titles: []), at: 0)
    }
  }

  @Test func `gives hints, and counts them in the result`() throws {
    var quiz = try NamingQuiz(album, at: 0)
    #expect(quiz.hint(to: 2) == nil)
    quiz.giveHint(to: 2)
    #expect(quiz.hint(to: 2) == "H······ (f···. T·· G····)")
    for _ in 0..<5 { quiz.giveHint(to: 2) }
    #expect(quiz.hint(to: 2) == "Harb··· (fe··. Th· Gul··)")
    quiz.giveHint(to: 99)
    #expect(quiz.answer("harbour", at: 1) == .taken([2, 6]))
    #expect(quiz.hint(to: 2) == nil)
    quiz.giveUp(at: 2)
    let result = try #require(quiz.result)
    #expect(result.marks[2] == .helped && result.marks[6] == .right && result.marks[0] == .missed)
    #expect(result.right == 2 && result.helped == 1)
  }

  @Test(arguments: [
    ("Été", "É··"), ("99 Umbrellas", "9· U········"), ("紙の箱", "紙··"), ("Don't", "D··'·"), ("???", "???"),
    ("e\u{301}te\u{301}", "e··"), ("", ""),
  ])
  func `hides letters of any script`(title: String, hint: String) {
    #expect(FirstLetters.hint(to: Text(string: title), level: 1).description == hint)
  }

  @Test func `resumes from its state`() throws {
    var quiz = try NamingQuiz(album, asking: [0, 1, 2, 3, 4, 5], at: 1_795_247_040_000)
    _ = quiz.answer("ete", at: 1_795_247_041_000)
    quiz.giveHint(to: 3)
    let bytes = quiz.encoded()
    #expect(bytes.count < 50)
    #expect(QuizKind(ofState: bytes) == .tracks)
    var again = try NamingQuiz(decoding: bytes, album)
    #expect(again.encoded() == bytes)
    #expect(again.isFound(5) && again.hint(to: 3) == "S····, P·. 1" && again.count == 6)
    #expect(again.timer.elapsed(at: 1_795_247_042_000) == 2000)
    again.giveUp(at: 1_795_247_042_000)
    #expect(try NamingQuiz(decoding: again.encoded(), album).result == again.result)
  }

  @Test func `shares a result that reveals no titles`() {
    let marks: [QuizMark] = [
      .right, .helped, .missed, .right, .right, .right, .notAsked, .right, .right, .right, .right, .missed,
    ]
    let text = QuizSamples.result(marks, milliseconds: 221_900).shareText.description
    #expect(
      text == """
        Longbox quiz: Cardboard
        Name the tracks: 9 of 11, 1 with help, 3:41
        🟩🟨⬛🟩🟩🟩🟩🟩🟩🟩
        ⬛
        """
    )
    for title in QuizSamples.titles { #expect(!text.contains(title.description)) }
  }

  @Test(arguments: [
    (0, "0:00"), (59_999, "0:59"), (600_000, "10:00"), (3_661_000, "1:01:01"), (UInt64.max, "99:59:59"),
  ])
  func `formats a duration`(milliseconds: UInt64, text: String) {
    #expect(Text(duration: milliseconds).description == text)
  }
}
