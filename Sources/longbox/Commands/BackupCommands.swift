// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import LongboxPush
import LongboxReaders
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

  @Flag(help: "Print JSON instead of sentences.")
  var json = false

  @OptionGroup var options: Options

  private struct Report: Encodable {
    var file: String
    var files: Int
    var bytes: Int
    var checked: Bool
  }

  func run() async throws {
    try await reportingErrors {
      let (settings, location) = (
        try await DataFolder.settings(options, needsRoot: true), URL(filePath: file)
      )
      let (check, withAuthority, file) = (check, withAuthority, file)
      let summary = try await Interruption.cancelling {
        if check {
          try Self.checkExists(file)
          return try await ProgressBar.showing("Checking") { try Store.checkBackup(location, progress: $0) }
        }
        var files = [VAPIDKeys.fileName, Settings.fileName]
        if withAuthority { files.append(HouseholdAuthority.folder(in: settings.data).lastPathComponent) }
        let store = try await Store.openReading(settings.store)
        return try await ProgressBar.showing("Writing") { progress in
          try await store.backUp(to: location, with: files, progress: progress)
        }
      }
      try Console().write(
        Report(file: file, files: summary.files, bytes: summary.bytes, checked: check),
        asJSON: json,
        lines: [
          check
            ? "The backup \(file) is whole: \(summary.sentence)" : "Wrote \(file): \(summary.sentence)"
        ]
      )
    }
  }

  /// A missing file is a wrong name, not a damaged disk.
  static func checkExists(_ file: String) throws {
    let location = URL(filePath: file)
    guard FolderOwner.allowing(R_OK, location, { FileManager.default.fileExists(atPath: file) }) else {
      throw ReaderError.missing("There is no file “\(file)”. Name one that “longbox backup” wrote.")
    }
  }
}

extension BackupSummary {
  /// How much is in the backup, as a sentence.
  var sentence: String {
    "\(files) \(files == 1 ? "file" : "files"), \(bytes.spelledAsBytes)."
  }
}

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
