// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// A quiz on an album, played with plain forms: each answer loads the page again.
struct QuizPage {
  let visit: QuizVisit
  let turn: QuizTurn
  let library: Library
  /// The host's time in milliseconds.
  let now: UInt64
}

extension QuizPage: Page {
  var title: Text { (turn.game?.kind.title ?? "Quiz") + " · " + subjectName }
  var kind: Text { "quiz-page" }
  var tab: Tab? { .albums }
  var back: BackLink? { BackLink(link: .local(visit.albumPath), name: "Back to the album") }
  var showsComics: Bool { false }

  var heading: HTML {
    h1 {
      turn.game?.kind.title ?? "Quiz"
      " "
      span(.class("subject")) { bdi { subjectName } }
    }
  }

  @HTMLBuilder var content: HTML {
    // In the body, so that comic pages carry no code for it in the shared head.
    link(Attribute("rel", "stylesheet"), .href(.local("/assets/quiz.css")))
    div(.class("quiz")) {
      if let error = turn.error { p(.class("note"), .role("alert")) { Self.sentence(error) } }
      if let game = turn.game {
        status(of: game)
        if game.timer.state == .stopped {
          QuizOutcome(visit: visit, game: game, record: visit.record(game.kind, in: library)).html
        } else {
          QuizForm(visit: visit, game: game, turn: turn).html
        }
      } else {
        start
      }
    }
  }
}

extension QuizPage {
  private var subjectName: Text {
    turn.game?.kind == .albums ? visit.artist?.name ?? visit.album.name : visit.album.name
  }

  /// The progress and the time, and at the end what happened; before, the form says that where the player looks.
  private func status(of game: QuizGame) -> HTML {
    div(.class("quiz-status")) {
      p(.role("status")) {
        span(.class("quiz-count")) { Self.progress(of: game) }
        if !turn.message.isEmpty, game.timer.state != .running {
          " "
          span { turn.message }
        }
      }
      p(.role("timer"), .label("Time")) { Text(duration: game.timer.elapsed(at: now)) }
      steps(of: game)
    }
  }

  /// A dash for each track or question, filled when done.
  @HTMLBuilder private func steps(of game: QuizGame) -> HTML {
    if game.timer.state != .stopped {
      switch game {
      case .naming(let quiz): steps(quiz.foundCount, of: quiz.count)
      case .choice(let quiz): steps(quiz.answers.count, of: quiz.questions.count)
      case .order: HTML()
      }
    }
  }

  private func steps(_ done: Int, of all: Int) -> HTML {
    p(.class("quiz-steps"), Attribute("aria-hidden", "true")) {
      for step in 0..<all { HTML(element: "i", step < done ? [.class("done")] : [], HTML()) }
    }
  }

  private static func progress(of game: QuizGame) -> Text {
    switch game {
    case .naming(let quiz): Text(decimal: quiz.foundCount) + " of " + Text(decimal: quiz.count)
    case .order(let quiz): Text(decimal: quiz.order.count) + " tracks"
    case .choice(let quiz):
      quiz.question == nil
        ? Text(decimal: quiz.rightCount) + " of " + Text(decimal: quiz.questions.count)
        : "Question " + Text(decimal: quiz.answers.count + 1) + " of " + Text(decimal: quiz.questions.count)
    }
  }

  private var start: HTML {
    let kinds = visit.kinds
    return section(.class("quiz-kinds"), .label("Kinds of quiz")) {
      if kinds.isEmpty { p { "There are too few tracks for a quiz." } }
      for kind in kinds {
        div {
          h2 { kind.title }
          p(.class("hint")) { kind.task }
          QuizStart(path: visit.path, kind: kind, record: visit.record(kind, in: library)).html
        }
      }
    }
  }

  private static func sentence(_ error: QuizError) -> Text {
    switch error {
    case .tooFew: "This album has too little for this quiz. Try another one."
    case .otherTracks: "The track list has changed since you started. Start again."
    case .foreign, .unsupportedVersion, .unexpectedKind, .damaged, .malformed:
      "This quiz can’t go on. Start again."
    }
  }
}

/// The buttons that start a quiz, with the best and the last result.
struct QuizStart {
  let path: Text
  let kind: QuizKind
  let record: QuizRecord
  var label: Text = "Play"

  @HTMLBuilder var html: HTML {
    if let best = record.best { p { "Best: " + Self.words(best) } }
    if let last = record.last, last != record.best { p { "Last: " + Self.words(last) } }
    form(.class("edit"), .action(.local(path)), Attribute("method", "post")) {
      hidden("start", kind.word)
      button(.class("button action"), Attribute("type", "submit"), .label(label + ": " + kind.title)) {
        label
      }
      if kind != .order, !record.weakTracks.isEmpty {
        button(
          .class("button"),
          Attribute("type", "submit"),
          Attribute("name", "practice"),
          Attribute("value", 1)
        ) { "Practice missed tracks (" + Text(decimal: record.weakTracks.count) + ")" }
      }
    }
  }

  private static func words(_ score: QuizScore) -> Text {
    Text(decimal: score.right) + " of " + Text(decimal: score.total)
      + (score.helped > 0 ? " (" + Text(decimal: score.helped) + " with help)" : .empty)
      + " in " + Text(duration: score.milliseconds)
  }
}

extension QuizKind {
  /// What the player does, in a few words.
  fileprivate var task: Text {
    switch self {
    case .tracks: "Type every title you remember."
    case .order: "Put the tracks in order."
    case .next: "Choose the track that follows."
    case .albums: "Choose the album of each track."
    }
  }
}

struct QuizForm {
  let visit: QuizVisit
  let game: QuizGame
  let turn: QuizTurn

  var html: HTML {
    form(.class("quiz-form"), .action(.local(visit.path)), Attribute("method", "post")) {
      hidden("state", Base64.url.encode(game.encoded()[...]))
      if game.timer.state == .paused {
        p { "The quiz is paused." }
        action("resume", "Go on")
      } else {
        switch game {
        case .naming(let quiz): naming(quiz)
        case .order(let quiz): order(quiz)
        case .choice(let quiz): choice(quiz)
        }
      }
    }
  }

  /// The text box's button is the form's first, so Enter submits the answer.
  @HTMLBuilder private func naming(_ quiz: NamingQuiz) -> HTML {
    div(.class("quiz-answer")) {
      input(
        Attribute("type", "text"),
        Attribute("name", "guess"),
        Attribute("value", turn.typed),
        .label("Track title"),
        Attribute("maxlength", 300),
        Attribute("autocomplete", "off"),
        Attribute("autocapitalize", "off"),
        Attribute("spellcheck", "false"),
        Attribute("enterkeyhint", "send"),
        Attribute("aria-describedby", "quiz-said"),
        Attribute("autofocus")
      )
      button(.class("button action"), Attribute("type", "submit")) { "Answer" }
    }
    said
    closing
    ol(.class("quiz-tracks"), .role("list"), .label("Tracks")) {
      for track in quiz.album.titles.indices { row(track, in: quiz) }
    }
  }

  private func row(_ track: Int, in quiz: NamingQuiz) -> HTML {
    if quiz.isFound(track) || !quiz.isAsked(track) {
      return li(.class(quiz.isFound(track) ? "right" : "given")) { bdi { quiz.album.titles[track] } }
    }
    let hint = quiz.hint(to: track)
    return li(.class("missing")) {
      div(.class("quiz-row")) {
        if let hint { bdi { hint } } else { blank(quiz.album.titles[track]) }
        button(
          .class("button"),
          Attribute("type", "submit"),
          Attribute("name", "hint"),
          Attribute("value", track),
          .label(
            (hint == nil ? "Hint: first letters of track " : "Hint: more letters of track ")
              + Text(decimal: track + 1)
          )
        ) { "Hint" }
      }
    }
  }

  /// A line for each word of a title.
  private func blank(_ title: Text) -> HTML {
    span(.class("blank")) {
      span(.class("aside")) { "…" }
      for word in title.bytes.split(separator: UInt8(ascii: " ")) {
        HTML(element: "i", [.class(word.count > 6 ? "long" : word.count > 3 ? "middle" : "short")], HTML())
      }
    }
  }

  @HTMLBuilder private func order(_ quiz: OrderQuiz) -> HTML {
    ol(.class("quiz-tracks"), .role("list"), .label("Tracks")) {
      for place in quiz.order.indices { row(at: place, in: quiz) }
    }
    button(
      .class("button action"),
      Attribute("type", "submit"),
      Attribute("name", "judge"),
      Attribute("value", 1)
    ) { "Check the order" }
    said
    closing
  }

  private func row(at place: Int, in quiz: OrderQuiz) -> HTML {
    let title = quiz.album.titles[quiz.order[place]]
    let isRight = quiz.isRight(at: place)
    return li(.class(!turn.isJudged ? "placed" : isRight ? "right" : "missed")) {
      div(.class("quiz-row")) {
        span {
          bdi { title }
          if turn.isJudged { isRight ? " ✓ right" : " ✗ not here" }
        }
        move("up", place, title, isPossible: place > 0) { "↑" }
        move("down", place, title, isPossible: place + 1 < quiz.order.count) { "↓" }
      }
    }
  }

  private func move(
    _ direction: Text,
    _ place: Int,
    _ title: Text,
    isPossible: Bool,
    @HTMLBuilder sign: () -> HTML
  ) -> HTML {
    button(
      .class("button"),
      Attribute("type", "submit"),
      Attribute("name", direction),
      Attribute("value", place),
      .label("Move " + title + " " + direction),
      isPossible ? .none : Attribute("disabled"),
      content: sign
    )
  }

  @HTMLBuilder private func choice(_ quiz: ChoiceQuiz) -> HTML {
    said
    if let question = quiz.question {
      fieldset(.class("quiz-choices")) {
        legend {
          quiz.kind == .next ? "What comes after “" : "Which album is “"
          bdi { question.title }
          quiz.kind == .next ? "”?" : "” on?"
        }
        for (place, choice) in question.choices.enumerated() {
          button(
            .class("button"),
            Attribute("type", "submit"),
            Attribute("name", "choice"),
            Attribute("value", place)
          ) { bdi { choice } }
        }
      }
    }
    closing
  }

  /// What the last step was, beside the controls; it keeps its height, so that nothing moves.
  private var said: HTML {
    p(.id("quiz-said"), .class("quiz-said"), .role("status")) { turn.message }
  }

  private var closing: HTML {
    div(.class("quiz-closing")) {
      action("pause", "Pause")
      action("give-up", "Give up")
    }
  }

  private func action(_ value: Text, _ name: Text) -> HTML {
    button(
      .class("button"),
      Attribute("type", "submit"),
      Attribute("name", "do"),
      Attribute("value", value)
    ) { name }
  }
}

/// A finished quiz: all answers, the text to share, and links to continue.
struct QuizOutcome {
  let visit: QuizVisit
  let game: QuizGame
  let record: QuizRecord

  @HTMLBuilder var html: HTML {
    if let result = game.result {
      h2 { Self.sentence(result) }
      ol(.class("quiz-tracks"), .role("list"), .label("Tracks")) {
        for track in result.marks.indices { row(track, result.marks[track]) }
      }
      details {
        summary { "Share the result" }
        p { "It contains no titles." }
        textarea(Attribute("readonly"), Attribute("rows", 5), .label("Result to share")) { result.shareText }
      }
      QuizStart(path: visit.path, kind: result.kind, record: record, label: "Play again").html
      ul(.class("links")) { li { a(.href(.local(visit.path))) { "Other quizzes" } } }
    }
  }

  private static func sentence(_ result: QuizResult) -> Text {
    Text(decimal: result.right) + " of " + Text(decimal: result.total) + " in "
      + Text(duration: result.milliseconds) + "."
  }

  /// A track with its result in words, not only in color; *Which album?* shows only the asked tracks.
  @HTMLBuilder private func row(_ track: Int, _ mark: QuizMark) -> HTML {
    if let name = name(of: track, mark) {
      switch mark {
      case .notAsked: li(.class("given")) { bdi { name } }
      case .right: li(.class("right")) { bdi { name } }
      case .helped:
        li(.class("helped")) {
          bdi { name }
          span(.class("mark")) { " with help" }
        }
      case .missed:
        li(.class("missed")) {
          bdi { name }
          span(.class("mark")) { " missed" }
        }
      }
    }
  }

  private func name(of track: Int, _ mark: QuizMark) -> Text? {
    guard game.kind == .albums, let artist = visit.artist else { return visit.album.titles[track] }
    guard mark != .notAsked, let place = artist.place(of: track) else { return nil }
    let album = artist.albums[place.album]
    return album.titles[place.track] + " (" + album.name + ")"
  }
}
