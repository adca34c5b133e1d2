// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import LongboxCore

struct Favorites: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "favorite",
    abstract: "Add, remove or list your favorites.",
    subcommands: [Add.self, Remove.self, List.self],
    defaultSubcommand: List.self
  )

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Add comics to your favorites.")

    @Argument(help: ArgumentHelp("The numbers of the comics.", valueName: "comic"))
    var numbers: [ComicNumber]

    @Option(help: "A note about them, at most 500 characters.")
    var note: String?

    @OptionGroup var reader: ReaderOptions

    func run() async throws {
      try await reportingErrors {
        let context = try await ReaderContext(reader)
        let source = try await context.comics()
        for number in numbers { _ = try await source.comic(number.number) }
        let (comics, note, now) = (numbers.map(\.number), note.map { Text(string: $0) }, context.now())
        try await context.library.edit { replica in
          for comic in comics {
            try replica.library.addFavorite(comic, at: replica.editTime(at: now))
            if let note {
              try replica.library.setNote(note, ofFavorite: comic, at: replica.editTime(at: now))
            }
          }
        }
        try FavoriteReport.report(comics, isFavorite: true, context, asJSON: reader.json)
      }
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Remove comics from your favorites.")

    @Argument(help: ArgumentHelp("The numbers of the comics.", valueName: "comic"))
    var numbers: [ComicNumber]

    @OptionGroup var reader: ReaderOptions

    func run() async throws {
      try await reportingErrors {
        let context = try await ReaderContext(reader)
        let (comics, now) = (numbers.map(\.number), context.now())
        try await context.library.edit { replica in
          try replica.library.removeFavorites(comics, at: replica.editTime(at: now))
        }
        try FavoriteReport.report(comics, isFavorite: false, context, asJSON: reader.json)
      }
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List your favorites, the newest first.")

    @OptionGroup var reader: ReaderOptions

    func run() async throws {
      try await reportingErrors {
        let context = try await ReaderContext(reader)
        let library = try await context.library.current()
        let archive = try await context.comics().archive()
        let report = FavoriteReport(library, in: archive)
        if reader.json { return try context.console.writeJSON(report) }
        for favorite in report.favorites {
          context.console.write("#\(favorite.number) \(favorite.title ?? "")")
          if let note = favorite.note { context.console.writeText(note, .faint, indent: "    ") }
        }
        let count = report.favorites.count
        context.console.write(count == 1 ? "1 favorite." : "\(count) favorites.")
      }
    }
  }
}

/// Favorites as JSON; docs/cli.md describes them.
struct FavoriteReport: Encodable {
  struct Item: Encodable {
    var number: Int
    var title: String?
    var added: Date
    var note: String?
  }

  var favorites: [Item]

  init(_ library: Library, in archive: Archive) {
    favorites = library.favorites.map { favorite in
      Item(
        number: favorite.comic.value,
        title: archive.comic(favorite.comic)?.title.description,
        added: Date(timeIntervalSince1970: Double(favorite.added) / 1000),
        note: favorite.note.isEmpty ? nil : favorite.note.description
      )
    }
  }

  private struct Changed: Encodable {
    var comics: [Int]
    var favorite: Bool
  }

  static func report(
    _ comics: [Comic.Number],
    isFavorite: Bool,
    _ context: ReaderContext,
    asJSON: Bool
  ) throws {
    let numbers = comics.map(\.value)
    if asJSON { return try context.console.writeJSON(Changed(comics: numbers, favorite: isFavorite)) }
    let list = numbers.map { "\($0)" }.joined(separator: ", ")
    context.console.write(isFavorite ? "Added to your favorites: \(list)." : "No longer a favorite: \(list).")
  }
}
