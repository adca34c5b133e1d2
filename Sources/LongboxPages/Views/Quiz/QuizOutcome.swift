// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

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
