// Longbox
// SPDX-License-Identifier: MIT

import Synchronization

/// How long readers wait for a database that other nodes share.
public struct SharedStoreTimeouts: Sendable {
  /// Maximum wait of a page for newer changes; after that it shows what the node has cached.
  public var page = Duration.seconds(1)
  /// Maximum wait of a form or a sync to be stored.
  public var form = Duration.seconds(5)

  /// Makes the default timeouts.
  public init() {}
}

/// Remembers for a second that a shared database didn't answer, so that not every page waits for it.
final class SharedStoreOutage: Sendable {
  private static let memory = Duration.seconds(1)
  private let end = Mutex<ContinuousClock.Instant?>(nil)

  var isOn: Bool { end.withLock { end in end.map { ContinuousClock.now < $0 } ?? false } }

  func begin() { end.withLock { $0 = ContinuousClock.now + Self.memory } }
}
