// Longbox
// SPDX-License-Identifier: MIT

import Synchronization

/// Hears that other nodes have changed something, on a connection of its own.
///
/// A notification is a hint, and may be lost with the connection. So there is one after each new connection as well, and
/// every ten seconds.
public final class ChangeListener: Sendable {
  /// The channel of all notifications.
  static let channel = "longbox"
  /// How often there is a hint anyway.
  private static let interval = Duration.seconds(10)
  /// How long the thread waits for notifications before it looks whether it is to end.
  private static let slice = Duration.milliseconds(250)
  /// How often the database is asked whether it is there, and how long it may take to answer.
  private static let heartbeat = Duration.seconds(2)

  private struct Readers {
    var hints: [Int: AsyncStream<Void>.Continuation] = [:]
    var lastID = 0
  }

  private let readers = Mutex(Readers())
  private let settings: PostgresSettings
  private let lastAnswer = Mutex(ContinuousClock.now)

  init(_ settings: PostgresSettings) {
    self.settings = settings
  }

  /// Hints that comics or explanations may have changed, or that something is wanted; for a reader of its own.
  public func hints() -> AsyncStream<Void> {
    let (hints, hint) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    hint.yield()
    let id = readers.withLock { readers in
      readers.lastID += 1
      readers.hints[readers.lastID] = hint
      return readers.lastID
    }
    hint.onTermination = { [weak self] _ in self?.readers.withLock { $0.hints[id] = nil } }
    return hints
  }

  /// How long the database hasn't answered.
  public var silence: Duration { lastAnswer.withLock { $0 }.duration(to: .now) }

  /// Listens until the task is cancelled.
  public func run() async {
    lastAnswer.withLock { $0 = .now }
    let connection = ListenerConnection(settings)
    var (lastHint, lastBeat) = (ContinuousClock.now, ContinuousClock.now)
    while !Task.isCancelled {
      do {
        let isNew = try await connection.listen(on: Self.channel)
        let isHeard = try await connection.hears(within: Self.slice)
        let now = ContinuousClock.now
        if isNew || now - lastBeat >= Self.heartbeat {
          try await connection.beat(within: Self.heartbeat)
          lastBeat = .now
          lastAnswer.withLock { $0 = .now }
        }
        if isNew || isHeard || now - lastHint >= Self.interval {
          for hint in readers.withLock({ $0.hints.values }) { hint.yield() }
          lastHint = now
        }
      } catch {
        try? await Task.sleep(for: Self.slice)
      }
    }
    await connection.close()
    // Outside the lock, which `onTermination` takes.
    for hint in readers.withLock({ $0.hints.values }) { hint.finish() }
  }
}
