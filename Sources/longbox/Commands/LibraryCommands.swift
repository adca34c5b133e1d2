// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import LongboxCore
import LongboxStore

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
          context.console.writeEntry("#\(favorite.number) \(favorite.title ?? "")")
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

struct Read: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Mark comics as read or unread, or say how many you have read.",
    discussion: """
        longbox read                 how many are read
        longbox read 353 354         mark these as read
        longbox read --up-to 1000    mark these and all before as read
        longbox read --unread 353    mark this as unread
      """
  )

  @Argument(help: ArgumentHelp("The numbers of the comics.", valueName: "comic"))
  var numbers: [ComicNumber] = []

  @Option(help: ArgumentHelp("Mark this comic and all before it.", valueName: "comic"))
  var upTo: ComicNumber?

  @Flag(help: "Mark as unread.")
  var unread = false

  @OptionGroup var reader: ReaderOptions

  func validate() throws {
    if unread, numbers.isEmpty, upTo == nil {
      throw ValidationError("Give the numbers of the comics to mark as unread.")
    }
  }

  private struct Report: Encodable {
    var read: Int
    var total: Int
    /// The comic that was viewed last, on any device.
    var place: Int?
  }

  func run() async throws {
    try await reportingErrors {
      let context = try await ReaderContext(reader)
      let source = try await context.comics()
      let archive = try await source.archive()
      let (comics, last, isRead, now) = (numbers.map(\.number), upTo?.number, !unread, context.now())
      for comic in comics + (last.map { [$0] } ?? []) { _ = try await source.comic(comic) }
      let library: Library
      if comics.isEmpty, last == nil {
        library = try await context.library.current()
      } else {
        library = try await context.library.edit { replica in
          if let last { try replica.library.setRead(isRead, upTo: last, at: replica.editTime(at: now)) }
          for comic in comics {
            try replica.library.setRead(isRead, comic: comic, at: replica.editTime(at: now))
          }
          return replica.library
        }
      }
      let marks = library.readMarks
      var report = Report(read: 0, total: archive.count, place: library.place?.comic.value)
      archive.visit { comic in
        if marks.isRead(comic.number) { report.read += 1 }
        return true
      }
      if reader.json { return try context.console.writeJSON(report) }
      context.console.write("Read: \(report.read) of \(report.total) comics.")
    }
  }
}

struct Export: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write your library as a JSON file: favorites, read comics, settings, albums, quiz results.",
    discussion: """
      Without a file it goes to standard output. “longbox import” reads it, as does the import in any Longbox's settings; \
      docs/library-json.md describes it. For a copy of everything on the server there is “longbox backup”.
      """
  )

  @Argument(help: "The file to write; there must be no such file.", completion: .file(extensions: ["json"]))
  var file: String?

  @OptionGroup var reader: ReaderOptions

  func run() async throws {
    try await reportingErrors {
      let context = try await ReaderContext(reader)
      let document = LibraryDocument(try await context.library.current(), exported: context.now()).encoded
      guard let file else {
        try context.console.writeRaw(String(decoding: document, as: UTF8.self))
        return
      }
      guard !FileManager.default.fileExists(atPath: file) else {
        throw ReaderError.usage("There is a file “\(file)” already. Name another one.")
      }
      do {
        try PrivateFile.create(document, at: URL(filePath: file))
      } catch {
        throw ReaderError.disk(
          "Your library can’t be written (\(error)). Name a file in a folder where you may write."
        )
      }
      context.console.write("Wrote your library to \(file).")
    }
  }
}
