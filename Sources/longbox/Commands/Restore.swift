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

  @Flag(help: "Print JSON instead of sentences.")
  var json = false

  @OptionGroup var options: Options

  private struct Report: Encodable {
    var folder: String
    /// The old folder or file under its new name.
    var before: String?
  }

  func run() async throws {
    try await reportingErrors {
      let settings = try await DataFolder.settings(options, needsRoot: true)
      if let database = settings.store.database { throw RestoreProblem(database: database) }
      let (data, location) = (settings.data, URL(filePath: file))
      try Backup.checkExists(file)
      let old = try await Interruption.cancelling {
        if Store.isDatabaseCopy(location) { return try Store.restoreDatabase(location, to: data) }
        return try await ProgressBar.showing("Restoring") {
          try Store.restore(location, to: data, progress: $0)
        }
      }
      try Console().write(
        Report(folder: data.path, before: old?.path),
        asJSON: json,
        lines: ["Restored \(data.path) from \(file)."]
          + (old.map { ["What was there before is in \($0.path). Delete it when you don't need it."] } ?? [])
      )
    }
  }
}

/// Why a backup can't be restored into PostgreSQL.
struct RestoreProblem: Error, CustomStringConvertible {
  let database: PostgresAddress

  var description: String {
    """
    A backup can only be restored into a data folder, but this store is in \(database). Restore it without LONGBOX_DATABASE \
    into a new folder (--data FOLDER). Then copy that into an empty database: longbox migrate-store --from sqlite:FOLDER \
    --to postgresql:…. docs/scaling.md has the steps, and describes pg_dump and pg_restore, which replace backups there.
    """
  }
}
