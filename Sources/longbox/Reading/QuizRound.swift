// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// A quiz, played line by line.
struct QuizRound {
  let console: Console
  let now: @Sendable () -> UInt64
  /// Reads a line; nil at the end of the input.
  var read: () -> String? = { readLine() }

  /// *Name the tracks*.
  /// - Returns: the result; nil if the input ended first.
  mutating func playTracks(_ album: QuizAlbum) throws(QuizError) -> QuizResult? {
    var quiz = try NamingQuiz(album, at: now())
    ask("\(album.name): name the \(quiz.count) songs.", .bold)
    ask("Return alone gives a hint, ? shows the list, . gives up.", .faint)
    while !quiz.isOver {
      prompt("\(quiz.foundCount) of \(quiz.count)")
      guard let line = read() else { return nil }
      switch line.trimmed {
      case ".": quiz.giveUp(at: now())
      case "?": list(quiz, album)
      case "": giveHint(in: &quiz, album)
      case let guess: answer(guess, &quiz, album)
      }
    }
    if !quiz.isComplete { list(quiz, album, reveals: true) }
    return quiz.result
  }

  /// *Which comes next?*.
  /// - Returns: the result; nil if the input ended first.
  mutating func playNext(_ album: QuizAlbum, seed: UInt64) throws(QuizError) -> QuizResult? {
    var quiz = try ChoiceQuiz(next: album, seed: seed, at: now())
    ask("\(album.name): which song comes next?", .bold)
    ask("Type the number of a song, or . to give up.", .faint)
    while let question = quiz.question {
      ask("")
      ask("After “\(question.title)”:")
      for (index, choice) in question.choices.enumerated() { ask("  \(index + 1). \(choice)") }
      prompt("\(quiz.answers.count + 1) of \(quiz.questions.count)")
      guard let line = read() else { return nil }
      if line.trimmed == "." {
        quiz.giveUp(at: now())
        continue
      }
      guard let choice = Int(line.trimmed), question.choices.indices.contains(choice - 1) else {
        ask("Type a number from 1 to \(question.choices.count).")
        continue
      }
      let isRight = quiz.choose(choice - 1, at: now()) == true
      ask(isRight ? "Right." : "No: “\(question.choices[question.right])”.")
    }
    return quiz.result
  }

  private func answer(_ guess: String, _ quiz: inout NamingQuiz, _ album: QuizAlbum) {
    switch quiz.answer(Text(string: guess), at: now()) {
    case .taken(let tracks): for track in tracks { ask("Right: \(track + 1). \(album.titles[track])") }
    case .known: ask("You have that one.")
    case .ambiguous: ask("That could be several songs. Type more of the title.")
    case .wrong, .closed: ask("No.")
    }
  }

  private func giveHint(in quiz: inout NamingQuiz, _ album: QuizAlbum) {
    guard let track = album.titles.indices.first(where: { quiz.isAsked($0) && !quiz.isFound($0) }) else {
      return
    }
    quiz.giveHint(to: track)
    if let hint = quiz.hint(to: track) { ask("\(track + 1). \(hint)") }
  }

  private func list(_ quiz: NamingQuiz, _ album: QuizAlbum, reveals: Bool = false) {
    for track in album.titles.indices {
      let isFound = quiz.isFound(track)
      let title = isFound || reveals ? album.titles[track].description : "…"
      ask("\(track + 1). \(title)", isFound ? .plain : .faint)
    }
  }

  /// Prints a question to standard error, so that standard output has only the result.
  private func ask(_ text: String, _ style: Console.Style = .plain) {
    console.ask(text, style)
  }

  private func prompt(_ text: String) { Console.send("\(text) > ", to: 2) }
}

extension String {
  fileprivate var trimmed: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
