// Longbox
// SPDX-License-Identifier: MIT

public import struct LongboxCore.Comic

/// Why the store failed; each description is a sentence for the operator, and says what to do next.
public enum StoreError: Error, Equatable, Sendable {
  /// The folder that was opened for reading holds no store.
  case nothingStored(folder: String)
  /// Another process has the folder open for writing; `by` names it, if known.
  case inUse(folder: String, by: String? = nil)
  /// The database file is damaged; it is never replaced or repaired automatically: it may be the only copy.
  case damaged(file: String, reason: String)
  /// A newer Longbox wrote the database last, and this one doesn't know its tables.
  case newerVersion(file: String)
  /// An older Longbox wrote the database last; it was opened for reading, so it can't be updated.
  case olderVersion(file: String)
  /// A file or folder can't be made, read or written; `advice` says what to do.
  case unusable(
    path: String,
    reason: String,
    advice: String = "Check that it exists and that you may write there."
  )
  /// The disk, or the quota on it, is full; no part of the change was stored.
  case diskFull(folder: String)
  /// Another program holds the database's lock; no part of the change was stored.
  case locked(file: String)
  /// The library was changed or removed since it was read; no part of the change was stored.
  case conflict
  /// The change would exceed the space that libraries may take.
  case quota(LibraryQuota.Violation)
  /// A change was requested of a store that was opened for reading.
  case openedForReading(folder: String)
  /// The comic's record or picture is not stored.
  case unknownComic(Comic.Number)
  /// The task was cancelled; the change was stored completely or not at all.
  case cancelled
  /// There is a file where a backup was to be written.
  case backupExists(file: String)
  /// The file isn't a backup.
  case notABackup(file: String)
  /// A part of the backup has a wrong hash; nothing was restored from it.
  case backupDamaged(file: String, part: String)
  /// The PostgreSQL database doesn't answer, or rejects the connection. No part of the change was stored, unless the
  /// connection broke during the commit.
  case unreachable(database: String, reason: String)
  /// libpq, PostgreSQL's client library, can't be loaded.
  case missingLibrary(reason: String)
  /// `longbox migrate-store` has not filled the database completely.
  case incompleteCopy(database: String)
  /// The target of a copy isn't empty.
  case notEmpty(place: String)
  /// The copy of a table differs from the table.
  case copyDiffers(table: String)
  /// Another node leads now, so this node's change as the leader was not stored.
  case notLeader
  /// The database failed for another reason.
  case failed(file: String, reason: String)
}

extension StoreError: CustomStringConvertible {
  /// A sentence or two that say what is wrong and what to do.
  public var description: String {
    switch self {
    case .nothingStored(let folder):
      "There are no comics in \(folder) yet. Start `longbox serve` or `longbox import` first, or name another store."
    case .inUse(let folder, let holder):
      "The folder \(folder) is in use by another Longbox\(holder.map { ": \($0)" } ?? ""). Stop that one first, or give "
        + "this one a folder of its own."
    case .damaged(let file, let reason):
      "The database \(file) is damaged (\(reason)). Put back a copy of it, or move it away to start again; "
        + "nothing has been changed."
    case .newerVersion(let file):
      "The database \(file) was written by a newer version of Longbox. Run that version or a later one, or restore a backup "
        + "from before the upgrade. For SQLite, the folder “upgrades” in the data folder has copies. Nothing has been changed."
    case .olderVersion(let file):
      "The database \(file) was written by an older version of Longbox. Start `longbox serve` once to bring it up to date."
    case .unusable(let path, let reason, let advice):
      "Longbox can't use \(path): \(reason). \(advice)"
    case .diskFull(let folder):
      "There is no space left for \(folder). Free some space and try again; stored data is not lost."
    case .locked(let file):
      "The database \(file) is locked by another program. Close it and try again; nothing was lost."
    case .conflict:
      "Another node has changed the library at the same time. Try again; nothing was lost."
    case .quota(.newLibrary):
      "This library has reached the size limit for its first day. Try again tomorrow."
    case .quota(.allLibraries):
      "The libraries of all readers have used up their space, so this one can't grow."
    case .quota(.freeSpace):
      "The disk is nearly full; the rest is reserved for readers who have used their library before."
    case .openedForReading(let folder):
      "The folder \(folder) was opened for reading only, so nothing can be changed in it."
    case .unknownComic(let number):
      "Comic \(number.value) is not stored, so its picture can't be stored either. Fetch the comic first."
    case .cancelled:
      "The work was cancelled before it was done."
    case .backupExists(let file):
      "There is a file \(file) already. Choose another name, or move that file away."
    case .notABackup(let file):
      "The file \(file) isn't a backup of Longbox. Name a file that `longbox backup` wrote."
    case .backupDamaged(let file, let part):
      "The backup \(file) is damaged (\(part)). Use another one; nothing has been changed."
    case .unreachable(let database, let reason):
      "The database \(database) can't be used now: \(reason). Check that PostgreSQL runs, that it accepts Longbox's user, and "
        + "the setting LONGBOX_DATABASE."
    case .missingLibrary(let reason):
      "Longbox needs libpq for PostgreSQL, and can't load it: \(reason). Install it (Debian's package is libpq5)."
    case .incompleteCopy(let database):
      "The database \(database) has an unfinished copy. Run “longbox migrate-store” again; it continues where it stopped."
    case .notEmpty(let place):
      "There is a store in \(place) already. Name an empty database or a new folder."
    case .copyDiffers(let table):
      "The copy of \(table) differs from the original. Stop all servers, and run “longbox migrate-store” again."
    case .notLeader:
      "Another node leads now, so this one has stored nothing. The new leader continues the work."
    case .failed(let file, let reason):
      "The database \(file) failed: \(reason)."
    }
  }
}

extension StoreError {
  /// Whether the database doesn't answer at the moment, but may answer soon.
  public var isOutage: Bool {
    switch self {
    case .unreachable: true
    default: false
    }
  }
}
