// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

extension ImportResult {
  var sentences: [Text] {
    var sentences: [Text] = []
    let added = counted(favoritesAdded, "favorite", "favorites") + " added"
    let present: Text =
      switch favoritesPresent {
      case 0: ""
      case 1: ", 1 was there already"
      default: ", " + Text(grouped: favoritesPresent) + " were there already"
      }
    sentences.append(added + present + ".")
    var others: [Text] = []
    if notesAdded > 0 { others.append(counted(notesAdded, "note", "notes") + " added.") }
    if comicsRead > 0 { others.append(counted(comicsRead, "comic", "comics") + " marked as read.") }
    if settingsTaken > 0 { others.append(counted(settingsTaken, "setting", "settings") + " imported.") }
    if savedTaken > 0 {
      others.append(counted(savedTaken, "saved album or result", "saved albums and results") + " added.")
    }
    if isPlaceTaken { others.append("Your place was taken from the file.") }
    sentences += others
    if !unknownNumbers.isEmpty { sentences.append(unknownNumbersSentence) }
    return sentences
  }

  private var unknownNumbersSentence: Text {
    var list = Text.empty
    for (place, number) in unknownNumbers.prefix(10).enumerated() {
      list = list + (place == 0 ? "" : ", ") + Text(decimal: number)
    }
    if unknownNumbers.count > 10 { list = list + " and more" }
    return "Left out, since there is no such comic: " + list + "."
  }
}

/// The import form, and the result of the last import.
struct ImportPage: Equatable {
  enum Outcome: Equatable {
    case done(ImportResult)
    case rejected(Text)
  }

  var outcome: Outcome?
}

extension ImportPage.Outcome {
  var status: Int { if case .rejected = self { 400 } else { 200 } }
}

extension ImportPage: Page {
  var title: Text { "Import" }
  var kind: Text { "message-page" }
  var tab: Tab? { .settings }
  var back: BackLink? { .settings }

  var content: HTML {
    switch outcome {
    case .done(let result): report(result)
    case .rejected(let problem):
      div(.class("message")) {
        p(.id("problem"), .role("alert")) { bdi { problem } }
        form
      }
    case nil: div(.class("message")) { form }
    }
  }

  private func report(_ result: ImportResult) -> HTML {
    div(.class("message empty")) {
      Drawing.boxWithHeart.html
      div(.role("status")) {
        for sentence in result.sentences { p { sentence } }
      }
      ul(.class("links")) { li { a(.href(.favorites)) { "Your favorites" } } }
    }
  }

  private var form: HTML {
    LongboxPages.form(
      .class("import"),
      .action(.importLibrary),
      Attribute("method", "post"),
      Attribute("enctype", "multipart/form-data")
    ) {
      p {
        "A file that Longbox exported, or a list of favorites from another xkcd app: JSON, CSV, or simply the comics’ "
        "numbers. What the file has is added to your library; nothing is removed."
      }
      label(Attribute("for", "file")) { "File" }
      input(
        .id("file"),
        Attribute("type", "file"),
        Attribute("name", "file"),
        Attribute("accept", ".json,.csv,.txt,application/json,text/csv,text/plain")
      )
      label(Attribute("for", "text")) { "Or paste its text" }
      textarea(
        .id("text"),
        Attribute("name", "text"),
        Attribute("rows", "5"),
        Attribute("spellcheck", "false")
      ) {}
      button(.class("button action"), Attribute("type", "submit")) { "Import" }
    }
  }
}
