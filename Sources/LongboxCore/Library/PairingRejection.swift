// Longbox
// SPDX-License-Identifier: MIT

/// Why a pairing link doesn't work.
public enum PairingRejection: Error, Equatable, CaseIterable {
  /// The server never issued the code, or has restarted since.
  case unknown
  /// The code is older than ten minutes.
  case expired
  /// A device was already paired with the code.
  case used
  /// Too many wrong links were tried.
  case tooManyTries
  /// The merged library would exceed the limits.
  case full
}
