// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import LongboxCore
import LongboxStore

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
