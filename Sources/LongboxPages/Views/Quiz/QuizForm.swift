// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

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
