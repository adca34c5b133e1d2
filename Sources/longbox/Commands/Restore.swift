// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import LongboxStore

struct Restore: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Put a backup in the place of the data folder.",
    discussion: """
      Checks the backup first, and changes nothing if it is damaged or from a newer Longbox. The data folder that was there stays \
      beside the new one under another name. The server must not be running.

      A copy of the database alone, which an upgrade leaves in the folder “upgrades”, takes the database's place; pictures and \
      keys stay.
      """
  )

  @Argument(
    help: "A file that “longbox backup” wrote, or one from the folder “upgrades”.",
    completion: .file()
  )
  var file: String

  @OptionGroup var options: Options

  func run() async throws {
    try await reportingErrors {
      let data = try await Settings.read(options).data
      let location = URL(filePath: file)
      let old =
        Store.isDatabaseCopy(location)
        ? try Store.restoreDatabase(location, to: data) : try Store.restore(location, to: data)
      print("Restored \(data.path) from \(file).")
      if let old { print("What was there before is in \(old.path). Delete it when you don't need it.") }
    }
  }
}
