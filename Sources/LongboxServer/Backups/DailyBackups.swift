// Longbox
// SPDX-License-Identifier: MIT

import Foundation
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
    let removed = try folder.rotate()
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
