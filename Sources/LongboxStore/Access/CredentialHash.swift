// Longbox
// SPDX-License-Identifier: MIT

import Crypto

/// The SHA-256 of a secret that lets a device or a program in.
///
/// The secret has 256 random bits, so that its hash needs neither salt nor many rounds.
public struct CredentialHash: Hashable, Sendable {
  /// The 32 bytes.
  public let bytes: [UInt8]

  /// Hashes a secret.
  public init(of secret: some Sequence<UInt8>) {
    bytes = Array(SHA256.hash(data: Array(secret)))
  }

  /// Takes a stored hash.
  init(stored bytes: [UInt8]) {
    self.bytes = bytes
  }
}
