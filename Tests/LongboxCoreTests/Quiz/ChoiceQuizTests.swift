// Longbox
// SPDX-License-Identifier: MIT

import Testing

@testable import LongboxCore

struct ChoiceQuizTests {
  private let album = QuizSamples.album
  private let artist = QuizSamples.artist

  @Test(arguments: 0..<100)
  func `about the next track has one right answer, and different others`(seed: UInt64) throws {
    let quiz = try ChoiceQuiz(next: album, seed: seed, at: 0)
    // What follows "Harbour" is not asked: two tracks have that title, with different next tracks.
    #expect(Set(quiz.questions.map(\.track)) == [1, 2, 4, 5, 6, 8, 9])
    for question in quiz.questions {
      #expect(question.title == album.titles[question.track - 1])
      #expect(question.choices[question.right] == album.titles[question.track])
      #expect(question.choices.count == 4)
      let places = question.choices.compactMap { album.titles.firstIndex(of: $0) }
      for (index, place) in places.enumerated() {
        #expect(!album.matcher.areAlike(place, question.track - 1))
        for other in places[(index + 1)...] { #expect(!album.matcher.areAlike(place, other)) }
      }
    }
  }

  @Test(arguments: 0..<100)
  func `about the album has one right answer, and no track that is on two`(seed: UInt64) throws {
    let quiz = try ChoiceQuiz(albumsOf: artist, seed: seed, at: 0)
    #expect(quiz.questions.count == 15)
    for question in quiz.questions {
      #expect(question.title != "The Long Box" && question.title != "The Long Box (Demo)")
      #expect(Set(question.choices.map(\.description)) == ["Cardboard", "Tin", "Wicker"])
      let right = artist.albums.filter { $0.titles.contains(question.title) }
      #expect(right.map(\.name) == [question.choices[question.right]])
    }
  }

  @Test func `has the right answer at every place`() throws {
    var places = Set<Int>()
    for seed in 0..<20 as Range<UInt64> {
      places.formUnion(try ChoiceQuiz(next: album, seed: seed, at: 0).questions.map(\.right))
    }
    #expect(places == [0, 1, 2, 3])
  }

  @Test func `asks weak tracks first, or only them`() throws {
    let quiz = try ChoiceQuiz(next: album, weak: [9, 3, 9, 400, 5], seed: 4, at: 0)
    #expect(quiz.questions.prefix(2).map(\.track) == [9, 5], "the fourth track can't be asked for")
    #expect(quiz.questions.count == 7)
    let practice = try ChoiceQuiz(next: album, weak: [9, 5], isPractice: true, seed: 4, at: 0)
    #expect(practice.questions.map(\.track) == [9, 5])
    let albums = try ChoiceQuiz(albumsOf: artist, weak: [13, 10], isPractice: true, seed: 4, at: 0)
    #expect(albums.questions.map(\.title) == ["Lid", "Rust"])
  }

  @Test func `asks one question after another, and ends with the last`() throws {
    var quiz = try ChoiceQuiz(albumsOf: artist, seed: 5, at: 1000)
    var right = 0
    while let question = quiz.question {
      let choice = quiz.answers.count % 3
      #expect(quiz.choose(question.choices.count, at: 1500) == nil, "there is no such choice")
      #expect(quiz.choose(choice, at: 2000) == (choice == question.right))
      right += choice == question.right ? 1 : 0
      let bytes = quiz.encoded()
      #expect(bytes.count < 100)
      quiz = try ChoiceQuiz(decoding: bytes, albumsOf: artist)
      #expect(quiz.encoded() == bytes && quiz.rightCount == right)
    }
    #expect(quiz.isOver && quiz.choose(0, at: 3000) == nil)
    let result = try #require(quiz.result)
    #expect(result.right == right && result.total == 15 && result.marks.count == 17)
    #expect(result.milliseconds == 1000 && result.kind == .albums && result.subject == "3")
  }

  @Test func `needs something to choose from`() {
    let short = QuizAlbum(id: "1", name: "Short", titles: ["Box", "Lid"])
    #expect(throws: QuizError.tooFew(needed: 3)) { try ChoiceQuiz(next: short, seed: 1, at: 0) }
    #expect(throws: QuizError.tooFew(needed: 2)) {
      try ChoiceQuiz(albumsOf: QuizArtist(id: "1", name: "", albums: [short]), seed: 1, at: 0)
    }
    #expect(throws: QuizError.tooFew(needed: 3)) {
      try ChoiceQuiz(next: QuizSamples.album, weak: [], isPractice: true, seed: 1, at: 0)
    }
  }
}
