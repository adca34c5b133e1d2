// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// The passphrase, sessions of devices, and access keys.
protocol CredentialTable {
  func all() throws -> [StoredCredential]
  func credential(_ hash: CredentialHash) throws -> StoredCredential?
  func insert(_ kind: StoredCredential.Kind, _ hash: CredentialHash, name: String, at date: Date) throws
    -> StoredCredential
  func remove(_ id: StoredCredential.ID) throws -> Bool
  func removeSessions(except id: StoredCredential.ID?) throws -> Int
  func noteSeen(_ id: StoredCredential.ID, at date: Date) throws
  func noteRenewed(_ id: StoredCredential.ID, at date: Date) throws
  func passphrase() throws -> String?
  func setPassphrase(_ hash: String, at date: Date) throws
}

enum CredentialLimits {
  /// The maximum number of each kind; the one unused for longest goes first.
  static let ofKind = 100

  /// A name as it is stored: at most 100 code points, which is what the databases count.
  static func stored(_ name: String) -> String {
    name.isEmpty ? "Unnamed" : String(String.UnicodeScalarView(name.unicodeScalars.prefix(100)))
  }
}
