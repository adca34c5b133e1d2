// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import LongboxStore
import Synchronization

struct MigrateStore: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate-store",
    abstract: "Copy everything from SQLite to PostgreSQL, or back.",
    discussion: """
      Copies comics, pictures, explanations, albums, all readers' libraries, who is signed in, and subscriptions, and compares \
      the hashes of all tables. The source isn't changed. No server may run on either store. A copy that was interrupted \
      goes on when the same command is run again; until it is complete, no server opens it.

      Keys and settings (vapid.pem, longbox.yaml, the certificate authority) are files of the data folder, and stay there: keep \
      using that folder with the database, or copy them. docs/scaling.md has the steps.
      """
  )

  @Option(help: ArgumentHelp("The store to copy: sqlite:FOLDER or postgresql://….", valueName: "store"))
  var from: String

  @Option(help: ArgumentHelp("An empty store: sqlite:FOLDER or postgresql://….", valueName: "store"))
  var to: String

  @Flag(help: "Print JSON instead of sentences.")
  var json = false

  /// The result as JSON.
  private struct Report: Encodable {
    let rows: Int
    let pictures: Int
    let lostPictures: Int
  }

  func run() async throws {
    try await reportingErrors {
      let source = try Self.location(from)
      let target = try Self.location(to)
      guard (source.database == nil) != (target.database == nil) else {
        throw MigrationProblem(
          description: "One of the stores must be sqlite:FOLDER, and the other postgresql://…."
        )
      }
      for location in [source, target] where location.database == nil {
        try DataFolder.takeRights(of: location.folder)
      }
      let shows = isatty(STDERR_FILENO) == 1 && !json
      let last = Mutex("")
      let summary = try await Store.copy(from: source, to: target) { table, count in
        guard shows else { return }
        let isNew = last.withLock { last in
          defer { last = table }
          return last != table
        }
        FileHandle.standardError.write(Data("\(isNew ? "\n" : "\r")\(table): \(count)".utf8))
      }
      if shows { FileHandle.standardError.write(Data("\n".utf8)) }
      let report = Report(rows: summary.rows, pictures: summary.pictures, lostPictures: summary.lostPictures)
      try Console().write(report, asJSON: json, lines: Self.sentences(summary, from: source, to: target))
    }
  }

  /// Reads `sqlite:FOLDER` or the address of a database.
  private static func location(_ text: String) throws -> StoreLocation {
    if let database = PostgresAddress(text) {
      return StoreLocation(FileManager.default.temporaryDirectory, database: database)
    }
    guard text.hasPrefix("sqlite:"), text.count > 7 else {
      throw MigrationProblem(description: "A store is named as sqlite:FOLDER or postgresql://host/name.")
    }
    let path = NSString(string: String(text.dropFirst(7))).expandingTildeInPath
    return StoreLocation(URL(filePath: path, directoryHint: .isDirectory))
  }

  private static func sentences(
    _ summary: StoreCopySummary,
    from source: StoreLocation,
    to target: StoreLocation
  ) -> [String] {
    var lines = ["Copied \(summary.rows) rows and \(summary.pictures) pictures; all tables match."]
    if summary.lostPictures > 0 {
      lines.append(
        "\(summary.lostPictures) pictures were already missing in the source; a server fetches them again."
      )
    }
    lines.append(
      target.database == nil
        ? "Start the server without LONGBOX_DATABASE on \(target.folder.path), with the keys of the old data folder (docs/scaling.md)."
        : "Start the server with LONGBOX_DATABASE and the data folder \(source.folder.path), which has the keys."
    )
    return lines
  }
}

/// Why the arguments don't name two stores.
struct MigrationProblem: Error, CustomStringConvertible {
  let description: String
}
