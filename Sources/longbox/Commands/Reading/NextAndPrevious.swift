// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import LongboxCore

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
      try await walk.step { place, _ in place?.next ?? (place == nil ? .first : nil) }
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
      try await walk.step { place, latest in place == nil ? latest : place?.previous }
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
    let place = try await context.library.current().place?.comic
    guard let number = other(place, latest), number <= latest else {
      Console.remark("\(end) “longbox random --unread” shows one that you have not read.")
      throw ExitCode(1)
    }
    try await ComicScreen(context: context, options: reader, showing: showing).show(number, from: source)
  }
}
