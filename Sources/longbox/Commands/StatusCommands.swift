// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import Logging
import LongboxCore
import LongboxServer
import LongboxStore
import LongboxUpstream

struct Status: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what is stored, what is missing, and whether anything is damaged.",
    discussion: """
      Works beside a running server. Exits with 1 if something stored is lost or damaged, otherwise with 0. Comics that \
      aren't fetched yet don't count as damage.
      """
  )

  @Flag(help: "Print JSON instead of sentences.")
  var json = false

  @Flag(help: "Also read every picture and compare it with its name, which is a hash of its bytes.")
  var deep = false

  @OptionGroup var options: Options

  func run() async throws {
    try await reportingErrors {
      let settings = try await DataFolder.settings(options)
      let report = try await StatusReport(of: Store.openReading(settings.store), readingPictures: deep)
      try Console().write(report, asJSON: json, lines: report.sentences)
      if !report.isSound { throw ExitCode(1) }
    }
  }
}

struct StatusReport: Encodable {
  struct Progress: Encodable {
    var fetched: Int
    var absent: Int
    var failed: Int
    var missing: Int

    init(_ progress: FetchProgress?) {
      fetched = progress?.fetched ?? 0
      absent = progress?.absent ?? 0
      failed = progress?.failed ?? 0
      missing = progress?.never ?? 0
    }
  }

  struct Explanations: Encodable {
    var stored: Int
    var absent: Int
    var bytes: Int
  }

  struct Failure: Encodable {
    var comic: Int
    var thing: String
    var reason: String
    var nextTry: Date?
  }

  let folder: String
  /// The PostgreSQL database, without user and password; nil for SQLite in the folder.
  let database: String?
  let comics: Int
  let latest: Int?
  let isComplete: Bool
  let isSound: Bool
  let texts: Progress
  let pictures: Progress
  let doubleSizePictures: Progress
  let explanations: Explanations
  let pictureFiles: Int
  let pictureBytes: Int
  let missingPictures: [String]
  let damagedPictures: [String]
  let databaseFaults: [String]
  let failures: [Failure]
  let lastCheck: Date?
  let lastSuccess: Date?

  init(of store: Store, readingPictures: Bool) async throws {
    let audit = try await ProgressBar.showing("Reading") {
      try await store.audit(readingPictures: readingPictures, progress: $0)
    }
    let check = try await store.fetches.newestCheck()
    let stored = try await store.comics.newest()
    let newest = [check?.newest, stored].compactMap { $0 }.max()
    let totals = try await store.pictures.totals()
    folder = store.folder.path
    database = store.location.database.map { "\($0)" }
    comics = audit.comics
    latest = newest?.value
    texts = try await Self.progress(.record, newest, store)
    pictures = try await Self.progress(.picture, newest, store)
    doubleSizePictures = try await Self.progress(.doubleSize, newest, store)
    let explained = try await store.explanations.totals()
    explanations = Explanations(stored: explained.pages, absent: explained.absent, bytes: explained.bytes)
    isComplete = newest != nil && texts.missing + texts.failed + pictures.missing + pictures.failed == 0
    isSound = audit.isSound
    pictureFiles = totals.files
    pictureBytes = totals.bytes
    missingPictures = audit.missingPictures
    damagedPictures = audit.damagedPictures
    databaseFaults = audit.databaseFaults
    failures = try await store.fetches.failures().map {
      Failure(comic: $0.number.value, thing: $0.part.rawValue, reason: $0.reason ?? "", nextTry: $0.nextTry)
    }
    lastCheck = check?.checkedAt
    lastSuccess = check?.succeededAt
  }

  private static func progress(
    _ part: ComicPart,
    _ newest: Comic.Number?,
    _ store: Store
  ) async throws -> Progress {
    guard let newest else { return Progress(nil) }
    return Progress(try await store.fetches.progress(of: part, upTo: newest))
  }

  /// The maximum number of failures in the text output; JSON has all.
  private static let mostFailures = 20

  var sentences: [String] {
    var lines = ["Folder: \(folder)"]
    if let database { lines.append("Database: \(database)") }
    guard let latest else {
      return lines + ["No comic is stored yet. Start the server, or import a folder."]
    }
    lines.append("Comics: \(comics) stored; the latest is \(latest).")
    lines.append("Texts: \(texts.fetched) fetched, \(texts.missing) missing, \(texts.failed) failed.")
    lines.append(
      "Pictures: \(pictures.fetched) fetched, \(pictures.missing) missing, \(pictures.failed) failed, "
        + "\(pictures.absent) comics without a picture."
    )
    lines.append(
      "Explanations: \(explanations.stored) stored, \(explanations.absent) comics without an explanation."
    )
    let medium = database == nil ? "On the disk" : "In the database"
    lines.append("\(medium): \(pictureFiles) picture files, \(pictureBytes.spelledAsBytes).")
    for failure in failures.prefix(Self.mostFailures) {
      lines.append("  Comic \(failure.comic), \(failure.thing): \(failure.reason)")
    }
    if failures.count > Self.mostFailures {
      lines.append("  and \(failures.count - Self.mostFailures) more (--json)")
    }
    if isSound {
      lines.append("Nothing that was stored is lost or damaged.")
    } else {
      lines += databaseFaults.map { "Database: \($0)" }
      lines += missingPictures.map { "Missing picture: \($0)" }
      lines += damagedPictures.map { "Damaged picture: \($0)" }
      lines.append("Pictures that are missing or damaged are fetched again when the server runs.")
    }
    lines.append("xkcd by Randall Munroe, CC BY-NC 2.5: https://xkcd.com")
    if explanations.stored > 0 { lines.append("Explanations by explain xkcd, CC BY-SA 3.0") }
    return lines
  }
}

struct Doctor: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check the store, the machine and the sources, and say what to do.",
    discussion: """
      Works beside a running server and without one, and changes nothing. Each line is ok, warning or problem. Exits with 0 if all \
      are ok, with 1 if the worst is a warning, and with 2 if there is a problem.
      """
  )

  @Flag(help: "Print JSON instead of sentences.")
  var json = false

  @OptionGroup var options: Options

  func run() async throws {
    try await reportingErrors {
      let settings = try await DataFolder.settings(options)
      var logger = Logger(label: "longbox")
      logger.logLevel = .critical
      let connections = HTTPConnections(connectTimeout: .seconds(5), readTimeout: .seconds(5))
      let examination = Examination(
        of: settings.store,
        settings: settings.server(),
        sources: settings.sourceQuestions(over: connections, logger: logger),
        refusedHosts: { [data = settings.data] in
          guard let health = try? await ServerClient(of: data)?.get("/healthz") else { return nil }
          return RefusedHosts(health: health.body)
        }
      )
      let diagnosis = await examination.diagnosis()
      try? await connections.close()
      let console = Console()
      if json {
        try console.writeJSON(diagnosis)
      } else {
        for line in diagnosis.lines { Self.show(line, on: console) }
      }
      switch diagnosis.worst {
      case .ok: return
      case .warning: throw ExitCode(1)
      case .problem: throw ExitCode(2)
      }
    }
  }

  /// Writes a line; on a terminal, continuation lines are aligned with the text after the level.
  private static func show(_ finding: String, on console: Console) {
    let line = SafeText.line(finding)
    guard console.isTerminal, !line.hasPrefix(" ") else { return console.write(line) }
    let level = line.prefix { $0 != " " }
    let text = line.dropFirst(level.count).drop { $0 == " " }
    let indent = line.count - text.count
    let lines = TextWrapping.wrapped(String(text), to: max(console.window.columns - indent, 1))
    for (index, part) in lines.enumerated() {
      console.write(
        (index == 0 ? "" : String(repeating: " ", count: indent)) + (index == 0 ? line.prefix(indent) : "")
          + part
      )
    }
  }
}
