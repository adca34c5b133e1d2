// Longbox
// SPDX-License-Identifier: MIT

/// The passphrase, sessions and access keys, read at once.
public struct StoredAccess: Equatable, Sendable {
  /// The passphrase's salted hash with its parameters; nil if none was set.
  public let passphrase: String?
  /// The signed-in devices and access keys, the oldest first.
  public let credentials: [StoredCredential]
}
