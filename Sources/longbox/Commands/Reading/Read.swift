// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import LongboxCore

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
