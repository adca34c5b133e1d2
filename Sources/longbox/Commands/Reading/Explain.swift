// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import LongboxCore

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

/// The number of a comic on the command line.
struct ComicNumber: ExpressibleByArgument {
  let number: Comic.Number

  init?(argument: String) {
    guard let number = Int(argument).flatMap({ Comic.Number($0) }) else { return nil }
    self.number = number
  }
}
