// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import LongboxCore

extension StoreError {
  /// Converts any error of a read or write.
  /// - Parameters:
  ///   - error: from GRDB, a file, or already a `StoreError`.
  ///   - place: where the store is.
  init(_ error: any Error, in place: StorePlace) {
    switch error {
    case let error as StoreError: self = error
    case is CancellationError: self = .cancelled
    case let error as DatabaseError: self.init(error, in: place)
    case let error as FileError: self.init(error, in: place)
    case let error as DamagedLibrary: self = .damaged(file: place.database.path, reason: error.reason)
    default: self = .failed(file: place.database.path, reason: String(describing: error))
    }
  }

  /// Converts a result code of SQLite (https://www.sqlite.org/rescode.html).
  private init(_ error: DatabaseError, in place: StorePlace) {
    let file = place.database.path
    let reason = error.message ?? "code \(error.extendedResultCode.rawValue)"
    switch error.resultCode {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .damaged(file: file, reason: reason)
    case .SQLITE_FULL: self = .diskFull(folder: place.folder.path)
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .locked(file: file)
    case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_IOERR:
      self.init(unusable: file, reason: reason, in: place)
    case .SQLITE_ABORT, .SQLITE_INTERRUPT: self = .cancelled
    default: self = .failed(file: file, reason: reason)
    }
  }

  private init(_ error: FileError, in place: StorePlace) {
    if error.isDiskFull {
      self = .diskFull(folder: place.folder.path)
    } else {
      self.init(unusable: error.path, reason: error.reason, in: place)
    }
  }

  /// A file or folder that can't be used; if this process lacks rights, the advice says whose it is.
  private init(unusable path: String, reason: String, in place: StorePlace) {
    if let rights = FilePlace.missingRights(at: path, in: place.folder) {
      self = .unusable(path: path, reason: reason, advice: rights)
    } else {
      self = .unusable(path: path, reason: reason)
    }
  }
}
