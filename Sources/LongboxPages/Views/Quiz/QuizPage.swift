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
