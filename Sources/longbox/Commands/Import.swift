// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import LongboxCatalog
import LongboxStore

struct Import: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Import comics from a folder, or your library from a file.",
    discussion: """
      A file that “longbox export” or another Longbox wrote, another app's list of favorites, or “-” for standard input, is \
      added to your library: nothing in it is removed or overwritten. It works beside a running server. A folder, or a file whose \
      name ends in .jsonl, holds comics for the server's store:

      The folder holds comics.jsonl, one record of xkcd's JSON API a line, and the \
      pictures, beside it or in a folder "images", named as in the records' "img". Rows that can't be used are skipped and listed by line number, with \
      the reason. Where there is a pages.jsonl, or explainxkcd/pages.jsonl, one page of explain xkcd a line ("num" and \
      "wikitext"), explanations that are not stored yet are taken from it. Importing the same folder again changes nothing; an import that was cut short goes on where it \
      stopped. The server must not be running.
      """
  )

  @Argument(help: "The folder, its comics.jsonl, or the file with a library.", completion: .file())
  var path: String

  @Flag(help: "Print JSON instead of sentences.")
  var json = false

  @Flag(help: "Import the texts of comics only.")
  var textOnly = false

  @Option(
    help: ArgumentHelp("Another Longbox to which a library is added. [LONGBOX_SERVER]", valueName: "url")
  )
  var server: String?

  @OptionGroup var options: Options

  func run() async throws {
    try await reportingErrors {
      if LibraryImport.isLibrary(path) {
        return try await LibraryImport(path: path, server: server, place: options.place, asJSON: json).run()
      }
      guard server == nil else {
        throw ReaderError.usage("--server takes a library; comics are imported where the server runs.")
      }
      let settings = try await Settings.read(options)
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
