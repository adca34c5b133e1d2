// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxReaders
import LongboxStore

extension Examination {
  /// Free bytes above the reserve below which there is a warning.
  private static let littleSpace = 512 << 20

  /// Checks the database and the picture files.
  func examineStore(_ opened: Result<Store, StoreError>) async -> Finding {
    do throws(StoreError) {
      let audit = try await opened.get().audit()
      let pictures = audit.wholePictures + audit.wholeCovers
      guard audit.databaseFaults.isEmpty else {
        return .problem(
          .store,
          "The database is damaged: \(audit.databaseFaults[0]).",
          "Stop the server, and restore a backup: longbox restore FILE."
        )
      }
      let lost = audit.missingPictures.count + audit.damagedPictures.count
      guard lost == 0 else {
        return .warning(
          .store,
          "\(Self.counted(lost, "picture file")) \(lost == 1 ? "is" : "are") missing or damaged; the database is whole.",
          "The server fetches them again. If that happens often, check the disk."
        )
      }
      return .ok(
        .store,
        "The database with \(Self.counted(audit.comics, "comic")) and \(Self.counted(pictures, "picture file")) are whole."
      )
    } catch {
      return finding(of: error)
    }
  }

  private func finding(of error: StoreError) -> Finding {
    switch error {
    case .nothingStored(let folder):
      .warning(.store, "The folder \(folder) holds nothing yet.", "Start it with: longbox serve")
    case .olderVersion:
      .warning(
        .store,
        "The database is of an older version.",
        location.database == nil
          ? "The server copies and upgrades it at its next start."
          : "A server upgrades it at its next start. Make a backup first: docs/scaling.md."
      )
    case .newerVersion:
      .problem(
        .store,
        "The database is of a newer version of Longbox.",
        "Run that version or a later one, or restore a copy from the folder “upgrades”: longbox restore FILE."
      )
    case .unreachable(let database, let reason):
      .problem(
        .store,
        "The database \(database) can't be used: \(reason).",
        "Check that PostgreSQL runs, and the setting LONGBOX_DATABASE: psql must be able to connect with it."
      )
    case .damaged(_, let reason):
      .problem(
        .store,
        "The database is damaged: \(reason).",
        "Stop the server, and restore a backup: longbox restore FILE."
      )
    default: .problem(.store, "The database can't be read.", error.description)
    }
  }

  /// Checks the free space.
  func examineDisk() -> Finding {
    guard let space = DiskSpace(of: folder) else {
      return .warning(.disk, "The free space is unknown.", "Check that the folder \(folder.path) exists.")
    }
    let reserve = settings.limits.storage.libraries.freeSpace
    let text = "\(space.free.spelledAsBytes) of \(space.total.spelledAsBytes) are free"
    let advice = "Free some space, or move the data folder to another disk."
    if space.files == 0 { return .problem(.disk, "The disk has no room for another file.", advice) }
    if space.free < reserve {
      return .problem(
        .disk,
        "\(text), less than the reserve of \(reserve.spelledAsBytes): new readers can't store anything.",
        advice
      )
    }
    if space.free < 16 << 20 { return .problem(.disk, "\(text).", advice) }
    guard space.free >= reserve + Self.littleSpace else { return .warning(.disk, "\(text).", advice) }
    return .ok(
      .disk,
      "\(text); \(reserve.spelledAsBytes) are a reserve (LONGBOX_LIMITS_FREE_MEGABYTES)."
    )
  }

  /// Warns of a data folder on a file system of a network; nil for one of this machine.
  func examineFileSystem() -> Finding? {
    guard location.database == nil, let kind = FilePlace.remoteFileSystem(of: folder) else { return nil }
    return .warning(
      .disk,
      "The data folder is on \(kind).",
      "SQLite relies on locks and on an order of writes that such a file system may not keep, so the database can be damaged. "
        + "Move the data folder to a disk of this machine, and only backups there; or keep everything in PostgreSQL."
    )
  }

  /// Checks that this user can write to the folder, and that other users can’t read it.
  func examinePermissions() -> Finding {
    guard FileManager.default.fileExists(atPath: folder.path) else {
      return .ok(.permissions, "The data folder \(folder.path) doesn't exist yet.")
    }
    guard access(folder.path, R_OK | W_OK | X_OK) == 0 else {
      return .problem(
        .permissions,
        "This user may not write to \(folder.path).",
        FilePlace.missingRights(at: folder.path, in: folder)
          ?? "Give the folder to the user that runs Longbox: chown -R USER \(folder.path)"
      )
    }
    let files = Self.files(in: folder) + Self.files(in: HouseholdAuthority.folder(in: folder))
    for file in files {
      guard let facts = try? FileManager.default.attributesOfItem(atPath: file.path) else { continue }
      let isFile = facts[.type] as? FileAttributeType == .typeRegular
      let owner = (facts[.ownerAccountID] as? NSNumber)?.uint32Value
      let mode = (facts[.posixPermissions] as? NSNumber)?.intValue ?? 0
      if owner != geteuid(), geteuid() != 0 {
        return .problem(
          .permissions,
          "\(file.path) belongs to another user.",
          "Give the folder to the user that runs Longbox: chown -R USER \(folder.path)"
        )
      }
      if isFile, mode & 0o077 != 0 {
        return .problem(
          .permissions,
          "Others may read \(file.path).",
          "Take the permission away: chmod 600 \(file.path). If it is a key, others may know it."
        )
      }
      if isFile, access(file.path, R_OK | W_OK) != 0 {
        return .problem(.permissions, "This user may not write \(file.path).", "chmod 600 \(file.path)")
      }
    }
    return .ok(.permissions, "The files in \(folder.path) are private and can be written.")
  }

  private static func files(in folder: URL) -> [URL] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().map { folder.appending(path: $0) }
  }

  /// Checks that there is a backup of today or yesterday.
  func examineBackups() -> Finding {
    guard let backups = settings.backups else {
      return .ok(
        .backups,
        "There are no automatic backups.",
        "LONGBOX_BACKUPS=FOLDER makes one each day; longbox backup FILE makes one now."
      )
    }
    let folder = backups.location.path
    let advice = "Check that \(folder) exists, that Longbox may write there, and the server's log."
    guard let entries = try? backups.entries(at: now()), let newest = entries.first else {
      return .warning(
        .backups,
        "There is no backup in \(folder) yet.",
        "The server makes the first one when it starts. \(advice)"
      )
    }
    let age = now().timeIntervalSince(newest.date)
    let text =
      "The newest backup in \(folder) is \(Self.spelled(seconds: age)) old; \(entries.count) \(entries.count == 1 ? "is" : "are") kept."
    guard age < 49 * 3600 else { return .problem(.backups, text, advice) }
    return .ok(.backups, text)
  }
}

/// What a file system has left for this user.
struct DiskSpace: Equatable, Sendable {
  /// The bytes that are free.
  let free: Int
  /// All bytes.
  let total: Int
  /// How many files can still be made; nil if there is no such limit.
  let files: Int?

  /// Asks the file system of a folder; nil if the system doesn't know.
  init?(of folder: URL) {
    var status = statvfs()
    guard statvfs(folder.path, &status) == 0 else { return nil }
    free = Int(clamping: UInt64(status.f_bavail).multipliedWithinRange(by: UInt64(status.f_frsize)))
    total = Int(clamping: UInt64(status.f_blocks).multipliedWithinRange(by: UInt64(status.f_frsize)))
    files = status.f_files == 0 ? nil : Int(clamping: UInt64(status.f_favail))
  }
}
