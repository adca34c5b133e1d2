// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import LongboxPush
import LongboxServer
import LongboxStore

struct Backup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write everything into one file, or check such a file.",
    discussion: """
      Works beside a running server: the backup shows one moment. It holds comics, pictures, explanations, albums, all readers' \
      libraries, who is signed in, subscriptions with the key for them, and the settings of “longbox setup”. Keep it where only \
      you can read it. “longbox restore” puts it back.
      """
  )

  @Argument(help: "The file to write; there must be no such file.", completion: .file())
  var file: String

  @Flag(help: "Check that the file is a whole backup, and write nothing.")
  var check = false

  @Flag(help: "Include the household's certificate authority with its key.")
  var withAuthority = false

  @OptionGroup var options: Options

  func run() async throws {
    try await reportingErrors {
      let location = URL(filePath: file)
      if check {
        let summary = try Store.checkBackup(location)
        print("The backup \(file) is whole: \(summary.sentence)")
        return
      }
      let settings = try await Settings.read(options)
      var files = [VAPIDKeys.fileName, Settings.fileName]
      if withAuthority { files.append(HouseholdAuthority.folder(in: settings.data).lastPathComponent) }
      let summary = try await Store.openReading(settings.data).backUp(to: location, with: files)
      print("Wrote \(file): \(summary.sentence)")
    }
  }
}

extension BackupSummary {
  /// How much is in the backup, as a sentence.
  var sentence: String {
    "\(files) \(files == 1 ? "file" : "files"), \(bytes.spelledAsBytes)."
  }
}
