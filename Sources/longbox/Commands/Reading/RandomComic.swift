// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import LongboxCore

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
