// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import Logging
import LongboxCatalog
import LongboxCore
import LongboxStore
import LongboxUpstream

struct Import: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Import comics from a folder, or your library from a file.",
    discussion: """
      Adds a library file to your library; “-” reads standard input. The file may come from “longbox export”, from another \
      Longbox, or from another app: its list of favorites. Nothing is removed or overwritten. A server may be running.

      A folder, or a .jsonl file, holds comics for the server's store. The folder has comics.jsonl, with one record of xkcd's \
      JSON API per line. The pictures are beside it or in a folder "images", named as in "img". Unusable lines are skipped, and \
      listed with the reason. If there is a pages.jsonl or explainxkcd/pages.jsonl, with "num" and "wikitext" in each line, \
      missing explanations are read from it. Importing again changes nothing, and resumes an interrupted import. The server \
      must not be running.
      """
  )

  @Argument(help: "The folder, its comics.jsonl, or the file with a library.", completion: .file())
  var path: String

  @Flag(help: "Print JSON instead of sentences.")
  var json = false

  @Flag(help: "Import the texts of comics only.")
  var textOnly = false

  @Flag(help: "Leave out the lines of a list that name no comic, and import the others.")
  var skipLines = false

  @Option(
    help: ArgumentHelp("Another Longbox to which a library is added. [LONGBOX_SERVER]", valueName: "url")
  )
  var server: String?

  @OptionGroup var options: Options

  func run() async throws {
    try await reportingErrors {
      if isLibrary { return try await importLibrary() }
      guard server == nil else {
        throw ReaderError.usage("--server takes a library; comics are imported where the server runs.")
      }
      let settings = try await DataFolder.settings(options)
      let folder = try ImportFolder(path: path)
      let importer = Importer(store: try await DataFolder.open(settings.store))
      let report = try await ProgressBar.showing("Importing") {
        try await importer.run(folder, pictures: !textOnly, progress: $0)
      }
      try Console().write(report, asJSON: json, lines: report.sentences)
      if report.comics.total == 0 { throw ExitCode(65) }
    }
  }

  // A library

  /// The maximum length of a library's file in bytes, as for uploads in the browser.
  private static let mostBytes = 8 << 20

  /// Whether the path is that of a library, and not of comics for the server.
  private var isLibrary: Bool {
    if path == "-" { return true }
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return isThere && !isFolder.boolValue && !path.hasSuffix(".jsonl")
  }

  private struct LibraryReport: Encodable {
    var favoritesAdded: Int
    var favoritesPresent: Int
    var notesAdded: Int
    var comicsRead: Int
    var settingsTaken: Int
    var savedTaken: Int
    var unknownNumbers: [Int]
  }

  /// Adds a file to the reader's library.
  private func importLibrary() async throws {
    let context = try await ReaderContext(server: server, options.dataOptions)
    let document = try document(in: try bytes())
    let latest = try? await context.comics().latest()
    let now = context.now()
    let result = try await context.library.edit { replica in
      try document.merge(into: &replica, latest: latest, at: now)
    }
    if json {
      try context.console.writeJSON(
        LibraryReport(
          favoritesAdded: result.favoritesAdded,
          favoritesPresent: result.favoritesPresent,
          notesAdded: result.notesAdded,
          comicsRead: result.comicsRead,
          settingsTaken: result.settingsTaken,
          savedTaken: result.savedTaken,
          unknownNumbers: result.unknownNumbers
        )
      )
      return
    }
    context.console.write(
      "Favorites: \(result.favoritesAdded) new, \(result.favoritesPresent) already there. "
        + "Comics marked as read: \(result.comicsRead). Saved albums and results: \(result.savedTaken)."
    )
    if !result.unknownNumbers.isEmpty {
      let numbers = result.unknownNumbers.prefix(20).map { "\($0)" }.joined(separator: ", ")
      context.console.write("Not comics, and left out: \(numbers).")
    }
  }

  private func document(in bytes: [UInt8]) throws -> LibraryDocument {
    do throws(ImportError) {
      return try ImportReader.document(in: bytes)
    } catch {
      guard case .unreadLines(let lines, let others) = error else { throw error }
      for line in lines.shown { Console.remark("\(line.sentence)") }
      if lines.count > lines.shown.count {
        Console.remark("And \(lines.count - lines.shown.count) more lines.")
      }
      guard skipLines, !others.isEmpty else {
        if !others.isEmpty { Console.remark("Import the other lines with --skip-lines.") }
        throw error
      }
      return try ImportReader.document(of: others)
    }
  }

  private func bytes() throws -> [UInt8] {
    guard let file = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path) else {
      throw ReaderError.missing("The file “\(path)” can’t be read.")
    }
    let bytes = try file.read(upToCount: Self.mostBytes + 1) ?? Data()
    guard bytes.count <= Self.mostBytes else {
      throw ReaderError.malformed("“\(path)” is larger than 8 MB, so it can’t be a library.")
    }
    return [UInt8](bytes)
  }
}

struct Reload: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Fetch one comic and its picture again, even if fetching them failed.",
    discussion:
      "The server must not be running: a page that it shows tries again by itself when it is opened."
  )

  @Argument(help: "The number of the comic.")
  var number: Int

  @Flag(help: "Print JSON instead of sentences.")
  var json = false

  @OptionGroup var options: Options

  private struct Report: Encodable {
    var reloaded: Int
  }

  func validate() throws {
    guard Comic.Number(number) != nil else {
      throw ValidationError("There is no comic \(number). Give the number of a comic, such as 353.")
    }
  }

  func run() async throws {
    try await reportingErrors {
      guard let number = Comic.Number(number) else { return }
      let settings = try await DataFolder.settings(options)
      var logger = Logger(label: "longbox")
      logger.logLevel = settings.logLevel
      let store = try await DataFolder.open(settings.store)
      try await HTTPConnections().closing { connections in
        let catalog = try await Catalog(
          store: store,
          client: settings.xkcdClient(over: connections, logger: logger),
          logger: logger
        )
        try await catalog.reload(number)
        catalog.save()
      }
      try Console().write(
        Report(reloaded: number.value),
        asJSON: json,
        lines: ["Comic \(number.value) and its picture were fetched again."]
      )
    }
  }
}
