// Longbox
// SPDX-License-Identifier: MIT

/// How well the reader who changes a library is known.
public enum ReaderTrust: Sendable {
  /// They have the library's key, and nothing else is known.
  case unknown
  /// They pair a device, so the quota of a single new library doesn't apply, now and later.
  case paired
  /// They have signed in, so no quota of new libraries applies, now and later.
  case signedIn
}
