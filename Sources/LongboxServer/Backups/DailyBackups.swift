// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
import Logging
import LongboxPush
import LongboxReaders
import LongboxStore
import ServiceLifecycle

/// Writes a backup each day (UTC) and removes old ones, while the server runs.
///
/// It checks each backup before it removes an older one. If the day has no backup when the server starts, it makes one.
struct DailyBackups: Service {
  /// How often it checks whether a backup is due, and retries a failed one.
  private static let interval = Duration.seconds(3600)
  /// The space that must stay free on the backups' disk, in bytes.
  private static let margin = 64 << 20

  let store: Store
  let folder: BackupFolder
  let now: @Sendable () -> Date
  let logger: Logger
  var clock: any Clock<Duration> = ContinuousClock()
  /// Checking a backup blocks for long, so it has its own thread.
  private let thread = SerialThread(label: "longbox.backups")

  init(store: Store, folder: BackupFolder, now: @escaping @Sendable () -> Date, logger: Logger) {
    self.store = store
    self.folder = folder
    self.now = now
    self.logger = logger
  }

  /// Runs until shutdown, which cancels an unfinished backup and removes its files.
  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do {
          try await backUpIfDue()
        } catch {
          guard !Task.isCancelled else { return }
          logger.error(
            "The daily backup has failed; Longbox tries again in an hour.",
            metadata: ["folder": "\(folder.location.path)", "error": "\(error)"]
          )
        }
        try? await clock.sleep(for: Self.interval)
      }
    }
  }

  /// Writes the day's backup, unless it exists.
  /// - Returns: whether it wrote one.
  /// - Throws: `StoreError` or `BackupProblem`; then no earlier backup was removed.
  @discardableResult
  func backUpIfDue() async throws -> Bool {
    let day = BackupFolder.day(of: now())
    let file = folder.file(of: day)
    guard !FileManager.default.fileExists(atPath: file.path) else { return false }
    try makeFolder()
    try await checkSpace()
    let written = try await store.backUp(to: file, with: [VAPIDKeys.fileName, "longbox.yaml"])
    let check = await thread.run { Result { () throws(StoreError) in try Store.checkBackup(file) } }
    do {
      guard try check.get() == written else {
        throw BackupProblem(description: "The backup differs from what was written.")
      }
    } catch {
      try? FileManager.default.removeItem(at: file)
      throw error
    }
    let removed = try folder.rotate(at: now())
    logger.info(
      "The daily backup is written.",
      metadata: ["file": "\(file.path)", "bytes": "\(written.bytes)", "removed": "\(removed)"]
    )
    return true
  }

  private func makeFolder() throws {
    try FileManager.default.createDirectory(
      at: folder.location,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
  }

  /// Checks that the backup fits, so that it doesn't fill a disk that readers need.
  private func checkSpace() async throws {
    let needed = try await store.usage().bytes + Self.margin
    guard let free = DiskSpace(of: folder.location)?.free, free < needed else { return }
    throw BackupProblem(
      description:
        "It needs \(needed >> 20) MB, and the disk of \(folder.location.path) has \(free >> 20) MB left. Free some, "
        + "or let LONGBOX_BACKUPS name a folder on another disk."
    )
  }
}

/// Why a backup was not made; the description is a sentence.
struct BackupProblem: Error, CustomStringConvertible {
  let description: String
}

/// A folder of daily backups, such as `longbox-2026-11-24.backup`; other files in it are never changed.
public struct BackupFolder: Equatable, Sendable {
  /// A backup of a day.
  struct Entry: Equatable, Sendable {
    let name: String
    /// The day, such as `2026-11-24`, in UTC.
    let day: String
    /// When it was finished.
    let date: Date
  }

  private static let (prefix, suffix) = ("longbox-", ".backup")
  /// How the names of an interrupted backup's files end.
  private static let unfinished = ["\(suffix).unfinished", "\(suffix).database"]

  /// Where the folder is.
  public let location: URL
  /// The number of backups that are kept.
  public let kept: Int

  /// Names a folder; the first backup creates it.
  public init(_ location: URL, keeping kept: Int = 7) {
    self.location = location
    self.kept = max(1, kept)
  }

  /// The day in the name of a backup, such as `2026-11-24`, in UTC.
  static func day(of date: Date) -> String { date.formatted(.iso8601.year().month().day()) }

  func file(of day: String) -> URL {
    location.appending(path: "\(Self.prefix)\(day)\(Self.suffix)", directoryHint: .notDirectory)
  }

  /// The backups, the newest first.
  ///
  /// Those of days to come are last: the clock was ahead when they were made. They must not take the places of new ones.
  /// - Parameter date: the time.
  /// - Throws: the system's error if the folder can't be read.
  func entries(at date: Date) throws -> [Entry] {
    let today = Self.day(of: date)
    let all = try FileManager.default.contentsOfDirectory(atPath: location.path)
      .compactMap { name -> Entry? in
        guard let day = Self.day(in: name, endingWith: Self.suffix) else { return nil }
        let facts = try FileManager.default.attributesOfItem(atPath: location.appending(path: name).path)
        return Entry(name: name, day: String(day), date: facts[.modificationDate] as? Date ?? .distantPast)
      }
      .sorted { $0.day > $1.day }
    return all.filter { $0.day <= today } + all.filter { $0.day > today }
  }

  /// Removes the oldest backups beyond the number to keep, and files of interrupted backups.
  /// - Returns: the number of backups that were removed.
  @discardableResult
  func rotate(at date: Date) throws -> Int {
    for name in try FileManager.default.contentsOfDirectory(atPath: location.path)
    where Self.unfinished.contains(where: { Self.day(in: name, endingWith: $0) != nil }) {
      try FileManager.default.removeItem(at: location.appending(path: name))
    }
    let old = try entries(at: date).dropFirst(kept)
    for entry in old { try FileManager.default.removeItem(at: location.appending(path: entry.name)) }
    return old.count
  }

  /// The day in a file's name; nil if the name has another form.
  private static func day(in name: String, endingWith ending: String) -> Substring? {
    let day = name.dropFirst(prefix.count).dropLast(ending.count)
    return name == "\(prefix)\(day)\(ending)" && isDay(day) ? day : nil
  }

  /// Whether a text has the form of `2026-11-24`.
  private static func isDay(_ text: Substring) -> Bool {
    text.utf8.count == 10
      && text.utf8.enumerated().allSatisfy { index, byte in
        index == 4 || index == 7 ? byte == UInt8(ascii: "-") : (0x30...0x39).contains(byte)
      }
  }
}
