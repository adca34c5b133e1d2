// Longbox
// SPDX-License-Identifier: MIT

/// The state of a device's sync with the server.
public struct SyncState: Equatable, Sendable {
  /// A request without a reply so far.
  struct Outstanding: Equatable, Sendable {
    var nonce: UInt64
    /// The device's sequence when the request was made.
    var sequence: UInt64
    /// The greatest timestamp in the request.
    var latest: Timestamp
    var isWhole: Bool
  }

  /// The identifier of the server's copy; 0 before the first sync.
  public internal(set) var epoch: UInt64 = 0
  /// The sequence of the server's copy that the device is up to date with.
  public internal(set) var pulled: UInt64 = 0
  /// The device's own sequence that the server is up to date with.
  public internal(set) var pushed: UInt64 = 0
  /// The greatest timestamp that the server is known to have.
  public internal(set) var shared: Timestamp = .earliest
  /// Whether the next sync must exchange everything, because the copies differ.
  public internal(set) var needsAll = false
  /// The last request; not stored, because a reply can't outlive the process that waits for it.
  var outstanding: Outstanding?

  /// Creates the state before the first sync.
  public init() {}
}

/// The next step after a reply.
public enum SyncProgress: Equatable, Sendable {
  /// Both sides are equal; there is nothing to send.
  case settled
  /// Send another request at once: there are newer edits, timestamps were moved, or the copies differ.
  case again
  /// The reply doesn't belong to the last request; nothing changed.
  case ignored
  /// The copies differ after a full exchange, which is a bug; the next sync tries again.
  case diverged
}
