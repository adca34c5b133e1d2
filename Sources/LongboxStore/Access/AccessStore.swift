// Longbox
// SPDX-License-Identifier: MIT

public import Foundation

/// The passphrase, the signed-in devices and the access keys.
public struct AccessStore: Sendable {
  let store: Store

  /// The passphrase, the signed-in devices and the access keys.
  public func all() async throws(StoreError) -> StoredAccess {
    try await store.readSnapshot { tables in
      let table = tables.credentials
      return StoredAccess(passphrase: try table.passphrase(), credentials: try table.all())
    }
  }

  /// Whether a passphrase was set.
  public func hasPassphrase() async throws(StoreError) -> Bool {
    try await store.read { tables in try tables.credentials.passphrase() != nil }
  }

  /// The device or access key with a hash; nil if there is none.
  public func credential(_ hash: CredentialHash) async throws(StoreError) -> StoredCredential? {
    try await store.read { tables in try tables.credentials.credential(hash) }
  }

  /// Stores a new device or access key.
  ///
  /// If there are too many of its kind, the one unused for longest is removed.
  public func add(
    _ kind: StoredCredential.Kind,
    _ hash: CredentialHash,
    name: String,
    at date: Date
  ) async throws(StoreError) -> StoredCredential {
    try await store.write { tables in
      try tables.credentials.insert(kind, hash, name: name, at: date)
    }
  }

  /// Removes a device or an access key.
  /// - Returns: whether there was one.
  @discardableResult
  public func remove(_ id: StoredCredential.ID) async throws(StoreError) -> Bool {
    try await store.write { tables in try tables.credentials.remove(id) }
  }

  /// Signs all devices out but one.
  /// - Returns: their number.
  @discardableResult
  public func removeSessions(except id: StoredCredential.ID? = nil) async throws(StoreError) -> Int {
    try await store.write { tables in try tables.credentials.removeSessions(except: id) }
  }

  /// Notes when devices and keys were last used.
  public func noteSeen(_ dates: [StoredCredential.ID: Date]) async throws(StoreError) {
    try await store.write { tables in
      let table = tables.credentials
      for (id, date) in dates { try table.noteSeen(id, at: date) }
    }
  }

  /// Notes that a device got its cookie again.
  public func noteRenewed(_ id: StoredCredential.ID, at date: Date) async throws(StoreError) {
    try await store.write { tables in try tables.credentials.noteRenewed(id, at: date) }
  }

  /// Sets the household's passphrase, and signs all devices out if there was another one.
  /// - Parameter hash: the passphrase's salted hash with its parameters.
  public func setPassphrase(_ hash: String, at date: Date) async throws(StoreError) {
    try await store.write { tables in
      let table = tables.credentials
      if try table.passphrase() != nil { _ = try table.removeSessions(except: nil) }
      try table.setPassphrase(hash, at: date)
    }
  }
}
