// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import LongboxPush
public import LongboxStore

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
