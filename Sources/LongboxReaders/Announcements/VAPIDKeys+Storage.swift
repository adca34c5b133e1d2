// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import LongboxPush
public import LongboxStore

extension VAPIDKeys {
  /// Why the keys can't be loaded or stored.
  public enum FileProblem: Error, Equatable, Sendable {
    /// The file can't be created, read or written.
    case unusable(path: String, reason: String)
    /// The file contains no key.
    case damaged(path: String)
    /// The file contains another key than the database.
    case different(path: String)
    /// The database contains no key where it should.
    case unreadableInDatabase
  }

  /// The name of the file in the data folder: PKCS #8 in PEM, which other tools can read.
  public static var fileName: String { "vapid.pem" }

  /// Loads the stored keys, or creates and stores new ones.
  ///
  /// The file is readable by its owner only (0600) and written atomically.
  /// - Parameter folder: the data folder, which only one process at a time may write.
  public static func loadOrCreate(in folder: URL) throws(FileProblem) -> VAPIDKeys {
    if let keys = try stored(in: folder) { return keys }
    let keys = VAPIDKeys()
    try keys.keep(in: folder)
    return keys
  }

  /// Stores the keys as a file.
  /// - Parameter folder: the data folder, which only one process at a time may write.
  public func keep(in folder: URL) throws(FileProblem) {
    let file = folder.appending(path: Self.fileName)
    do {
      try PrivateFile.write(Array(pem.utf8), to: file, isSynced: true)
    } catch {
      throw .unusable(path: file.path, reason: (error as? FileError)?.reason ?? "\(error)")
    }
  }

  /// Loads the stored keys; nil if there are none.
  public static func stored(in folder: URL) throws(FileProblem) -> VAPIDKeys? {
    let file = folder.appending(path: fileName)
    let bytes: [UInt8]
    do {
      guard let stored = try PrivateFile.read(file) else { return nil }
      bytes = stored
    } catch {
      throw .unusable(path: file.path, reason: (error as? FileError)?.reason ?? "\(error)")
    }
    guard let keys = VAPIDKeys(pem: String(decoding: bytes, as: UTF8.self)) else {
      throw .damaged(path: file.path)
    }
    return keys
  }
}

extension VAPIDKeys.FileProblem: CustomStringConvertible {
  /// One or two sentences that say what is wrong and what to do.
  public var description: String {
    switch self {
    case .unusable(let path, let reason):
      "Longbox can't use \(path), the key for notifications: \(reason). "
        + (FilePlace.missingRights(at: path, in: URL(filePath: path).deletingLastPathComponent())
          ?? "Check that you may read and write there.")
    case .damaged(let path):
      "\(path) holds no key for notifications. Put back a copy of it; without one, move it away to start again: "
        + "readers then have to switch notifications on again."
    case .different(let path):
      "\(path) holds another key for notifications than the database, which all nodes use. Move it away to use the database's; "
        + "readers who subscribed with the file's key have to switch notifications on again."
    case .unreadableInDatabase:
      "The database holds no readable key for notifications in the table “secret”. Restore a backup of it."
    }
  }
}

extension VAPIDKeys {
  /// The keys of a store: a file of the data folder, or a secret of all nodes where they share the store.
  ///
  /// The first node brings its file into the database. The others get a copy in their folders, for backups and commands.
  /// - Parameter folder: the data folder.
  /// - Throws: `FileProblem`, also if the file holds other keys than the database; `StoreError`.
  public static func loadOrCreate(by store: Store, in folder: URL) async throws -> VAPIDKeys {
    guard let shared = store.shared else { return try loadOrCreate(in: folder) }
    let own = try stored(in: folder)
    let candidate = own ?? VAPIDKeys()
    let content = try await shared.secret(fileName, orStoring: Array(candidate.pem.utf8))
    guard let keys = VAPIDKeys(pem: String(decoding: content, as: UTF8.self)) else {
      throw FileProblem.unreadableInDatabase
    }
    if let own, own.publicKey != keys.publicKey {
      throw FileProblem.different(path: folder.appending(path: fileName).path)
    }
    if own == nil { try keys.keep(in: folder) }
    return keys
  }
}
