// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// A rejected import: why, and what the reader pasted, which the form shows again.
public struct ImportRejection: Error, Equatable, Sendable {
  public var error: ImportError
  /// The pasted text; empty if there is none, or too much to send back.
  public var text: Text

  public init(_ error: ImportError, text: Text = .empty) {
    self.error = error
    self.text = text
  }
}

/// The form that imports a library: a file, or the text of one.
public enum ImportForm {
  /// The maximum length of a text that is sent back, in bytes.
  private static var longestShownText: Int { 1 << 20 }

  /// The submitted library.
  /// - Parameters:
  ///   - body: the form, as `multipart/form-data`.
  ///   - boundary: the boundary of its header; nil to take it from the first line.
  /// - Throws: `ImportRejection`.
  public static func document(in body: Text, boundary: Text? = nil) throws(ImportRejection) -> LibraryDocument
  {
    var pasted = Text.empty
    do throws(ImportError) {
      let form: MultipartForm
      if let boundary {
        form = try MultipartForm(body, boundary: boundary)
      } else {
        form = try MultipartForm(body)
      }
      let file = form["file"] ?? []
      let text = form["text"] ?? []
      if text.count <= longestShownText, text[...].isUTF8 { pasted = Text(text) }
      guard file.isEmpty || isBlank(text) else { throw .bothFileAndText }
      let content = file.isEmpty ? text : file
      guard !isBlank(content) else { throw .nothing }
      return try ImportReader.document(in: content)
    } catch {
      throw ImportRejection(error, text: pasted)
    }
  }

  private static func isBlank(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { $0.isASCIISpace } }
}

/// A `multipart/form-data` form as browsers send it (RFC 7578; delimiters as in RFC 2046, section 5.1.1).
///
/// The parser is strict: it accepts only what browsers write, because only browsers submit our forms.
public struct MultipartForm: Equatable, Sendable {
  /// The maximum length of a boundary, in bytes.
  public static var boundaryLimit: Int { 70 }
  /// The maximum number of parts; our form has two.
  private static var partLimit: Int { 8 }
  /// The maximum length of a part's header, in bytes.
  private static var headerLimit: Int { 4096 }
  private static var lineEnd: [UInt8] { [0x0D, 0x0A] }

  private struct Part: Equatable {
    let name: Text
    let content: ArraySlice<UInt8>
  }

  private var parts: [Part] = []

  public subscript(name: Text) -> [UInt8]? { parts.first { $0.name == name }.map { Array($0.content) } }

  /// Parses a form that comes without its header: its first line has the boundary.
  /// - Throws: `ImportError.malformedForm`.
  public init(_ body: Text) throws(ImportError) {
    let line = body.bytes.prefix(2 + Self.boundaryLimit).prefix { $0 != 0x0D }
    guard line.count > 2 else { throw .malformedForm }
    try self.init(body, boundary: Text(line.dropFirst(2)))
  }

  /// Parses a form.
  /// - Throws: `ImportError.malformedForm`.
  public init(_ body: Text, boundary: Text) throws(ImportError) {
    let hyphens: [UInt8] = [UInt8(ascii: "-"), UInt8(ascii: "-")]
    let delimiter = hyphens + boundary.bytes
    var rest = body.bytes
    guard rest.starts(with: delimiter) else { throw .malformedForm }
    rest = rest.dropFirst(delimiter.count)
    // A delimiter is followed by a line end and a part, or by two hyphens at the end of the form.
    while !rest.starts(with: hyphens) {
      guard rest.starts(with: Self.lineEnd), parts.count < Self.partLimit else { throw .malformedForm }
      rest = rest.dropFirst(Self.lineEnd.count)
      guard
        let header = rest.prefix(Self.headerLimit).firstIndex(of: Self.lineEnd + Self.lineEnd, from: 0),
        let name = Self.name(in: rest[..<header]),
        let end = rest.firstIndex(of: Self.lineEnd + delimiter, from: header + 2 * Self.lineEnd.count),
        self[name] == nil
      else { throw .malformedForm }
      parts.append(Part(name: name, content: rest[(header + 2 * Self.lineEnd.count)..<end]))
      rest = rest[(end + Self.lineEnd.count + delimiter.count)...]
    }
  }

  /// The field's name from a part's header.
  private static func name(in header: ArraySlice<UInt8>) -> Text? {
    for line in header.split(whereSeparator: { $0 == 0x0D || $0 == 0x0A }) {
      let fields = line.split(separator: UInt8(ascii: ";")).map { $0.trimmed() }
      let kind = fields.first.map { Text($0.map { $0.lowercasedASCII }) }
      guard kind == "content-disposition: form-data" else { continue }
      let start: Text = "name=\""
      for field in fields
      where field.starts(with: start.bytes) && field.last == UInt8(ascii: "\"") && field.count > start.count {
        return Text(field.dropFirst(start.count).dropLast())
      }
    }
    return nil
  }
}

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

  /// As many as the lines that an import names.
  private static var mostNamed: Int { 200 }

  private var unknownNumbersSentence: Text {
    var list = Text.empty
    for (place, number) in unknownNumbers.prefix(Self.mostNamed).enumerated() {
      list = list + (place == 0 ? "" : ", ") + Text(decimal: number)
    }
    if unknownNumbers.count > Self.mostNamed { list = list + " and more" }
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
        // Without their number: some may be of no comic, which the result says.
        button(.class("button action"), Attribute("type", "submit")) { "Import the other lines" }
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
