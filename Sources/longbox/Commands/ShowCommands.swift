// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import LongboxCore
import LongboxPages

struct Show: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show a comic. “longbox 353” and “longbox” alone do the same.",
    discussion: """
      Draws the picture in the terminal, with title and alt text: by kitty's, iTerm2's or sixel graphics where the terminal \
      has them, otherwise in coloured characters. Into a pipe, and with --text, it prints title, transcript and alt text \
      without escape codes.

        longbox
        longbox latest
        longbox 353
        longbox 353 --text | less
        longbox 353 --json | python3 -m json.tool

      What is shown on a terminal counts as read, and “longbox next” goes on from there.
      """
  )

  @Argument(help: ArgumentHelp("The number of a comic, or “latest”.", valueName: "comic"))
  var comic = "latest"

  @OptionGroup var showing: ShowingOptions
  @OptionGroup var reader: ReaderOptions

  func validate() throws {
    guard comic != "latest" else { return }
    guard let value = Int(comic) else {
      throw ValidationError(
        "There is neither a command nor a comic “\(SafeText.line(comic))”. “longbox help” lists the commands."
      )
    }
    guard Comic.Number(value) != nil else {
      throw ValidationError("There is no comic \(value). Give the number of a comic, such as 353.")
    }
  }

  func run() async throws {
    try await reportingErrors {
      let context = try await ReaderContext(reader)
      let source = try await context.comics()
      let number = Int(comic).flatMap { Comic.Number($0) }
      let shown = if let number { number } else { try await source.latest() }
      try await ComicScreen(context: context, options: reader, showing: showing).show(shown, from: source)
    }
  }
}

extension ComicSource {
  /// The number of the newest comic.
  func latest() async throws -> Comic.Number { try Self.latest(in: await archive()).number }
}

struct Next: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the comic after the one you viewed last, on any of your devices.",
    discussion: "Without one it shows the first comic. Exits with 1 after the latest."
  )

  @OptionGroup var showing: ShowingOptions
  @OptionGroup var reader: ReaderOptions

  func run() async throws {
    try await reportingErrors {
      let walk = Walk(reader: reader, showing: showing, end: "This was the latest comic.")
      try await walk.step { last, _ in last?.next ?? (last == nil ? .first : nil) }
    }
  }
}

struct Previous: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the comic before the one you viewed last, on any of your devices.",
    discussion: "Without one it shows the latest comic. Exits with 1 before the first."
  )

  @OptionGroup var showing: ShowingOptions
  @OptionGroup var reader: ReaderOptions

  func run() async throws {
    try await reportingErrors {
      let walk = Walk(reader: reader, showing: showing, end: "This was the first comic.")
      try await walk.step { last, latest in last == nil ? latest : last?.previous }
    }
  }
}

/// Goes from the comic that the reader viewed last to another.
private struct Walk {
  let reader: ReaderOptions
  let showing: ShowingOptions
  /// What is said where there is no other comic.
  let end: String

  func step(_ other: (Comic.Number?, Comic.Number) -> Comic.Number?) async throws {
    let context = try await ReaderContext(reader)
    let source = try await context.comics()
    let latest = try await source.latest()
    let last = try await context.library.current().place?.comic
    guard let number = other(last, latest), number <= latest else {
      Console.remark("\(end) “longbox random --unread” shows one that you have not read.")
      throw ExitCode(1)
    }
    try await ComicScreen(context: context, options: reader, showing: showing).show(number, from: source)
  }
}

struct RandomComic: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "random",
    abstract: "Show a random comic.",
    discussion: "Exits with 1 if there is none left to choose from."
  )

  @Flag(help: "Choose among the comics that you have not read.")
  var unread = false

  @Flag(help: "Choose among your favorites.")
  var favorite = false

  @OptionGroup var showing: ShowingOptions
  @OptionGroup var reader: ReaderOptions

  func run() async throws {
    try await reportingErrors {
      let context = try await ReaderContext(reader)
      let source = try await context.comics()
      let library = unread || favorite ? try await context.library.current() : Library()
      let marks = library.readMarks
      var numbers: [Comic.Number] = []
      try await source.archive().visit { comic in
        if !(unread && marks.isRead(comic.number)), !favorite || library.isFavorite(comic.number) {
          numbers.append(comic.number)
        }
        return true
      }
      guard let number = numbers.randomElement() else {
        Console.remark(favorite ? "You have no such favorite." : "There is no such comic left.")
        throw ExitCode(1)
      }
      try await ComicScreen(context: context, options: reader, showing: showing).show(number, from: source)
    }
  }
}

struct Explain: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print what explain xkcd says about a comic.",
    discussion: "Exits with 66 if there is no explanation, or none is stored yet."
  )

  @Argument(help: ArgumentHelp("The number of the comic.", valueName: "comic"))
  var number: ComicNumber

  @OptionGroup var reader: ReaderOptions

  func run() async throws {
    try await reportingErrors {
      let context = try await ReaderContext(reader)
      let source = try await context.comics()
      let comic = try await source.comic(number.number)
      guard let explanation = try await source.explanation(of: number.number) else {
        throw ReaderError.missing("There is no explanation of comic \(number.number.value) here yet.")
      }
      let console = context.console
      if reader.json {
        try console.writeJSON(explanation)
        return
      }
      console.write("#\(explanation.number): \(comic.title), explained", .bold)
      console.write()
      for line in explanation.text.split(whereSeparator: \.isNewline) {
        console.write(String(line))
        console.write()
      }
      if explanation.incomplete { console.write("The wiki marks this page as incomplete.", .faint) }
      if let source = explanation.source { console.write("explain xkcd, CC BY-SA 3.0: \(source)", .faint) }
    }
  }
}

struct Open: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Open a comic in the browser.",
    discussion: """
      If the server on this machine asks to sign in, the link signs the browser in, once and within ten minutes. \
      At the server named by --server, else at the one that runs on this machine, else at xkcd.com. Where there is no browser \
      to start, and into a pipe, it prints the address.
      """
  )

  @Argument(help: ArgumentHelp("The number of the comic; the latest without one.", valueName: "comic"))
  var number: ComicNumber?

  @OptionGroup var reader: ReaderOptions

  private struct Report: Encodable {
    var address: String
  }

  func run() async throws {
    try await reportingErrors {
      let context = try await ReaderContext(reader)
      let page = number.map { "/\($0.number.value)/" } ?? "/"
      let server = context.server ?? ServerAddress(of: context.data)
      let address =
        await Self.signingIn(context, page) ?? server?.url(page) ?? number.map {
          Link.xkcd($0.number).address.description
        } ?? "https://xkcd.com/"
      if reader.json { return try context.console.writeJSON(Report(address: address)) }
      if context.console.isTerminal, Self.hasBrowser(context.console.environment) {
        Self.startBrowser(address)
      }
      context.console.write(address)
    }
  }

  /// A link that signs the browser in at the server on this machine, by a one-time code; nil if no sign-in is needed.
  private static func signingIn(_ context: ReaderContext, _ page: String) async -> String? {
    guard context.server == nil, let client = ServerClient(of: context.data),
      let response = try? await client.post("/sign-in/code", [], type: "text/plain"), response.status == 200
    else { return nil }
    return client.server.url("/sign-in?to=\(page)#code=\(String(decoding: response.body, as: UTF8.self))")
  }

  /// Whether there is a place for a browser; without one, xdg-open lists all those that it doesn't find.
  private static func hasBrowser(_ environment: [String: String]) -> Bool {
    #if os(macOS)
    true
    #else
    ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"].contains { !(environment[$0] ?? "").isEmpty }
    #endif
  }

  /// Becomes the program that opens addresses; returns if there is none.
  private static func startBrowser(_ address: String) {
    #if os(macOS)
    let program = "open"
    #else
    let program = "xdg-open"
    #endif
    var words = [strdup(program), strdup(address), nil]
    PrivateFiles.lifted { execvp(program, &words) }
    for word in words { free(word) }
  }
}
