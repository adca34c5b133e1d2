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
    case rejected(ImportRejection)
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
    case .rejected(let rejection):
      div(.class("message")) {
        p(.id("problem"), .role("alert")) { bdi { rejection.error.sentence } }
        if case .unreadLines(let lines, let others) = rejection.error { rest(lines, others) }
        form(rejection.text)
      }
    case nil: div(.class("message")) { form(.empty) }
    }
  }

  /// The lines that couldn't be read, and a form that imports what the others have.
  @HTMLBuilder private func rest(_ lines: UnreadLines, _ others: [Int]) -> HTML {
    if lines.count > 1 {
      ul(.label("Lines left out")) {
        for line in lines.shown { li { bdi { line.sentence } } }
        let more = lines.count - lines.shown.count
        if more > 0 { li { "and " + counted(more, "more line", "more lines") } }
      }
    }
    if !others.isEmpty {
      importForm {
        hidden("text", Self.list(of: others))
        button(.class("button action"), Attribute("type", "submit")) {
          others.count == 1
            ? "Import the other comic" : "Import the other " + Text(grouped: others.count) + " comics"
        }
      }
    }
  }

  private static func list(of numbers: [Int]) -> Text {
    var list: [UInt8] = []
    for number in numbers {
      list += Text(decimal: number).bytes
      list.append(UInt8(ascii: " "))
    }
    return Text(list)
  }

  private func importForm(@HTMLBuilder _ content: () -> HTML) -> HTML {
    LongboxPages.form(
      .class("import"),
      .action(.importLibrary),
      Attribute("method", "post"),
      Attribute("enctype", "multipart/form-data"),
      content: content
    )
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

  /// The form, with the text that was pasted before.
  private func form(_ pasted: Text) -> HTML {
    importForm {
      p {
        "A file that Longbox exported, a list of favorites from another xkcd app (JSON or CSV), a browser’s bookmarks, or "
        "simply the comics’ numbers or addresses. What the file has is added to your library; nothing is removed."
      }
      label(Attribute("for", "file")) { "File" }
      input(
        .id("file"),
        Attribute("type", "file"),
        Attribute("name", "file"),
        Attribute("accept", ".json,.csv,.txt,.html,application/json,text/csv,text/plain,text/html")
      )
      label(Attribute("for", "text")) { "Or paste its text" }
      textarea(
        .id("text"),
        Attribute("name", "text"),
        Attribute("rows", "5"),
        Attribute("spellcheck", "false")
      ) {
        // HTML leaves out the first line break.
        if !pasted.isEmpty { "\n" + pasted }
      }
      button(.class("button action"), Attribute("type", "submit")) { "Import" }
    }
  }
}
