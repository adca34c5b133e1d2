// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import LongboxCatalog
import LongboxCore

struct Quiz: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Play a quiz about an album in the terminal.",
    discussion: """
      “tracks” asks for all songs, in any order: type a title and press Return. “next” asks which song comes after another. An \
      empty line gives a hint, “?” shows what is found, “.” gives up. The result is kept in your library. Ctrl-C ends the quiz \
      without one.

        longbox quiz 1440857781
        longbox quiz 1440857781 --kind next

      Without a number it asks about one of your saved albums.
      """
  )

  enum Kind: String, CaseIterable, ExpressibleByArgument {
    case tracks, next
  }

  @Argument(help: ArgumentHelp("The number of an album.", valueName: "album"))
  var album: AlbumNumber?

  @Option(help: "What is asked: tracks or next.")
  var kind = Kind.tracks

  @OptionGroup var country: CountryOption
  @OptionGroup var reader: ReaderOptions

  func run() async throws {
    try await reportingErrors {
      let context = try await ReaderContext(reader)
      var (id, store) = (album?.id, country.country)
      if id == nil {
        let saved = try await context.library.current().savedAlbums.randomElement()
        (id, store) = (saved?.id, saved?.country)
      }
      guard let id else {
        throw ReaderError.usage(
          "You have no saved album. Give the number of one: “longbox albums search” finds it."
        )
      }
      let details = try await context.albums(reader).album(id, in: store)
      let subject = QuizAlbum(
        id: id.text,
        name: Text(string: details.album.name),
        titles: details.tracks.map { Text(string: $0.title) }
      )
      guard !subject.titles.isEmpty else {
        throw ReaderError.missing("The store lists no songs of this album.")
      }
      var round = QuizRound(console: context.console, now: context.now)
      let result: QuizResult?
      do {
        switch kind {
        case .tracks: result = try round.playTracks(subject)
        case .next: result = try round.playNext(subject, seed: .random(in: 0...UInt64.max))
        }
      } catch is QuizError {
        throw ReaderError.missing("This album has too few songs for this quiz.")
      }
      guard let result else { throw ReaderError.usage("The input ended before the quiz. Nothing was kept.") }
      let now = context.now()
      try await context.library.edit { replica in
        try replica.library.record(result, at: replica.editTime(at: now))
      }
      if reader.json { return try context.console.writeJSON(QuizReport(result)) }
      context.console.write()
      context.console.writeText(result.shareText.description)
    }
  }
}

/// A quiz's result as JSON; docs/cli.md describes it.
struct QuizReport: Encodable {
  var album: String
  var kind: String
  var total: Int
  var right: Int
  var helped: Int
  var milliseconds: UInt64

  init(_ result: QuizResult) {
    album = result.subject.description
    kind = result.kind.word.description
    total = result.total
    right = result.right
    helped = result.helped
    milliseconds = result.milliseconds
  }
}

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
