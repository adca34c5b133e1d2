// Longbox
// SPDX-License-Identifier: MIT

/// How far a device and the server agree.
public struct SyncState: Equatable, Sendable {
  /// A request that has not been answered yet.
  struct Outstanding: Equatable, Sendable {
    var nonce: UInt64
    /// The device's sequence when it was made.
    var sequence: UInt64
    /// The greatest stamp that it carries.
    var latest: Stamp
    var isWhole: Bool
  }

  /// The name of the server's copy; 0 before the first sync.
  public internal(set) var epoch: UInt64 = 0
  /// The sequence of the server's copy that the device has everything up to.
  public internal(set) var pulled: UInt64 = 0
  /// The device's own sequence that the server has everything up to.
  public internal(set) var pushed: UInt64 = 0
  /// The greatest stamp that the server is known to have.
  public internal(set) var shared: Stamp = .earliest
  /// Whether the next exchange has to be of everything, since the copies were found to differ.
  public internal(set) var needsAll = false
  /// The last request; it isn't stored, for a reply can't outlive the process that waits for it.
  var outstanding: Outstanding?

  /// Makes the state before the first sync.
  public init() {}
}

/// What to do after a reply.
public enum SyncProgress: Equatable, Sendable {
  /// Both sides hold the same; nothing is to be sent.
  case settled
  /// Another request is due at once: there are newer edits, stamps were moved, or the copies differ.
  case again
  /// Not the reply to the last request: nothing was done.
  case ignored
  /// The copies differ after an exchange of everything, which is a defect; the next sync tries again.
  case diverged
}
