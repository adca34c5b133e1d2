// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCatalog
import LongboxCore
import LongboxPages

/// Shows a comic: its picture with title and alt text, or its texts.
struct ComicScreen {
  let context: ReaderContext
  let options: ReaderOptions
  let showing: ShowingOptions

  private var console: Console { context.console }

  /// Prints a comic; on a terminal it also marks the comic as viewed.
  func show(_ number: Comic.Number, from source: any ComicSource) async throws {
    let comic = try await source.comic(number)
    let archive = try await source.archive()
    if options.json {
      try console.writeJSON(ComicReport(comic, in: archive, try context.library.kept()))
      return
    }
    console.write("#\(number.value): \(comic.title)", .bold)
    if let date = comic.date { console.write(date.iso8601.description, .faint) }
    console.write()
    let drawing = try await drawPicture(of: comic, from: source)
    let isDrawn = drawing != nil
    if !isDrawn, !comic.transcript.isEmpty {
      console.writeText(comic.transcript.description)
      console.write()
    }
    if !comic.alt.isEmpty { console.writeText(isDrawn ? comic.alt.description : "Alt text: \(comic.alt)") }
    if comic.isInteractive {
      console.write("This comic is interactive on xkcd.com: “longbox open \(number.value)”.")
    }
    console.write()
    console.write(Self.attribution(of: number, in: archive), .faint)
    if let drawing, Self.isInCharacters(drawing), !comic.transcript.isEmpty {
      console.write("Its words: “longbox \(number.value) --text”", .faint)
    }
    if console.isTerminal { await noteView(of: number) }
  }

  private static func attribution(of number: Comic.Number, in archive: Archive) -> String {
    archive.isSampleBox
      ? "One of Longbox’s own samples, not by xkcd"
      : "xkcd by Randall Munroe, CC BY-NC 2.5: \(Link.xkcd(number).address)"
  }

  /// Marks a comic as viewed; on a full or read-only disk it prints a remark instead.
  private func noteView(of number: Comic.Number) async {
    do {
      try await context.library.noteView(of: number)
    } catch {
      Console.remark("Longbox could not mark this comic as read: \(error)")
    }
  }

  /// Whether a drawing consists of characters, so small words can't be read, and not of the terminal's graphics.
  private static func isInCharacters(_ drawing: [UInt8]) -> Bool {
    let graphics = ["\u{1B}_G", "\u{1B}]1337;", "\u{1B}P"]
    let beginning = String(decoding: drawing.prefix(64), as: UTF8.self)
    return !graphics.contains { beginning.contains($0) }
  }

  /// Draws the picture.
  /// - Returns: what was sent to the terminal; nil if the texts are shown instead.
  private func drawPicture(of comic: ArchivedComic, from source: any ComicSource) async throws -> [UInt8]? {
    let environment = console.environment
    guard console.isTerminal, !showing.text, showing.pictures != .none, let facts = comic.picture,
      Console.knowsEscapeCodes(environment)
    else { return nil }
    let window = console.window
    let area = area(for: comic, facts, in: window)
    let isLarge = area.columns * area.cellWidth > facts.width * 5 / 4 && facts.doubleSize == .present
    var file = isLarge ? try await source.picture(of: comic.number, doubleSize: true) : nil
    if file == nil { file = try await source.picture(of: comic.number, doubleSize: false) }
    guard let file else { return nil }
    let inspector = PictureInspector(environment: environment.filter { Self.variables.contains($0.key) })
    do {
      let drawing = try await inspector.draw(file, for: area)
      console.writeDrawing(drawing)
      console.write()
      return drawing
    } catch {
      Console.remark("The picture can’t be shown, so here is the text. \(error)")
      return nil
    }
  }

  /// The environment variables by which libchafa recognises the terminal.
  private static let variables: Set<String> = [
    "TERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "COLORTERM", "KITTY_WINDOW_ID", "KITTY_PID",
    "VTE_VERSION",
    "TMUX", "LC_TERMINAL", "MLTERM", "CTX_BACKEND", "WT_SESSION", "EAT_SHELL_INTEGRATION_DIR", "NVIM",
    "TMUX_PANE",
  ]

  /// The size for a picture: the window without the lines of text around it.
  ///
  /// A picture that is far higher than wide would be too small to read. It takes the window's width and scrolls.
  private func area(
    for comic: ArchivedComic,
    _ facts: PictureFacts,
    in window: TerminalWindow
  ) -> TerminalArea {
    let alt = TextWrapping.wrapped(comic.alt.description, to: window.columns).count
    let free = max(window.rows - alt - 8, 8)
    let width = min(facts.width, window.columns * window.cellWidth)
    let whole = width * facts.height / max(facts.width, 1) / window.cellHeight + 1
    let drawing: TerminalArea.Drawing =
      switch showing.pictures {
      case .auto, .none: .auto
      case .kitty: .kitty
      case .iterm2: .iterm2
      case .sixel: .sixel
      case .symbols: .symbols
      }
    return TerminalArea(
      columns: window.columns,
      rows: whole > 2 * free ? whole : free,
      cellWidth: window.cellWidth,
      cellHeight: window.cellHeight,
      drawing: drawing,
      colours: Console.allowsStyles(console.environment) ? .auto : .none
    )
  }
}

/// A comic as JSON; docs/cli.md describes it.
///
/// Fields are added, never changed or removed.
struct ComicReport: Encodable {
  struct Picture: Encodable {
    var mediaType: String
    var width: Int
    var height: Int
    var frames: Int
    var doubleSize: Bool
  }

  var number: Int
  var title: String
  var date: String?
  var alt: String
  var transcript: String?
  /// The page that the picture links to.
  var link: String?
  var interactive: Bool
  /// Nil until the picture was fetched.
  var picture: Picture?
  var favorite: Bool
  var read: Bool
  var source: String
  var licence: String?

  init(_ comic: ArchivedComic, in archive: Archive, _ library: Library) {
    number = comic.number.value
    title = comic.title.description
    date = comic.date?.iso8601.description
    alt = comic.alt.description
    transcript = comic.transcript.isEmpty ? nil : comic.transcript.description
    link = comic.link.isEmpty ? nil : comic.link.description
    interactive = comic.isInteractive
    picture = comic.picture.map {
      Picture(
        mediaType: "image/\($0.format)",
        width: $0.width,
        height: $0.height,
        frames: $0.frames,
        doubleSize: $0.doubleSize == .present
      )
    }
    favorite = library.isFavorite(comic.number)
    read = library.readMarks.isRead(comic.number)
    source = Link.xkcd(comic.number).address.description
    licence = archive.isSampleBox ? nil : "CC BY-NC 2.5"
  }
}
