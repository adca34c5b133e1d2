// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import LongboxCore

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
