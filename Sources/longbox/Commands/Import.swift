// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import LongboxCatalog
import LongboxStore

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
      if LibraryImport.isLibrary(path) {
        return try await LibraryImport(
          path: path,
          server: server,
          place: options.place,
          asJSON: json,
          skipsLines: skipLines
        )
        .run()
      }
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
}
