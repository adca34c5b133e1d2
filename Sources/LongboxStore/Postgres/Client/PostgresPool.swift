// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// A pool of connections, which are made on demand.
///
/// When all are in use, tasks wait in line.
final class PostgresPool: Sendable {
  private struct State {
    var idle: [PostgresConnection] = []
    var made = 0
    var waiting: [(id: UInt64, CheckedContinuation<PostgresConnection?, Never>)] = []
    var nextID: UInt64 = 0
    var isClosed = false
  }

  private let state = Mutex(State())
  /// How long the database hasn't answered somebody who asks it all the time; nil if nobody does.
  private let silence = Mutex<(@Sendable () -> Duration)?>(nil)
  let settings: PostgresSettings

  init(_ settings: PostgresSettings) {
    self.settings = settings
  }

  /// Lets everything fail at once while the database hasn't answered for longer than others should wait.
  /// - Parameter silence: how long it hasn't answered; nil to let all wait again.
  func watch(_ silence: (@Sendable () -> Duration)?) {
    self.silence.withLock { $0 = silence }
  }

  /// Runs statements that change nothing; again, if an idle connection turned out to be dead or the server starts.
  func read<Outcome: Sendable>(
    _ body: @escaping @Sendable (PostgresSession) throws -> Outcome
  ) async throws -> Outcome {
    try await repeating { connection in try await connection.perform(body) }
  }

  /// Runs a transaction; again, if another was in its way or the connection broke before the commit.
  ///
  /// The step may run more than once, so it changes nothing but the database.
  func transaction<Outcome: Sendable>(
    _ begin: String = "BEGIN",
    within limit: Duration? = nil,
    _ body: @escaping @Sendable (PostgresSession) throws -> Outcome
  ) async throws -> Outcome {
    try await repeating { connection in
      try await connection.perform(within: limit) { session in try session.transaction(begin, body) }
    }
  }

  /// Closes the connections as they come back; later calls fail.
  func close() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      state.isClosed = true
      state.idle = []
      return state.waiting
    }
    for (_, continuation) in waiting { continuation.resume(returning: nil) }
  }

  private func repeating<Outcome: Sendable>(
    _ step: (PostgresConnection) async throws -> Outcome
  ) async throws -> Outcome {
    let end = ContinuousClock.now + settings.retryTimeout
    var attempt = 0
    while true {
      let silence = silence.withLock { $0 }?() ?? .zero
      guard silence < settings.longestSilence else {
        throw PostgresError(.unavailable, "it hasn't answered for \(silence.components.seconds) seconds")
      }
      let connection = try await take()
      do {
        defer { give(connection) }
        return try await step(connection)
      } catch let error as PostgresError where error.isWorthAnotherTry && ContinuousClock.now < end {
        attempt += 1
        // The connection is back in the pool during the pause.
        try await Task.sleep(for: .milliseconds(Int.random(in: 1...min(4 << min(attempt, 6), 250))))
      }
    }
  }

  private func take() async throws -> PostgresConnection {
    try Task.checkCancellation()
    if let connection = try free() { return connection }
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    let timer = Task {
      try? await Task.sleep(for: settings.lineLimit)
      if !Task.isCancelled { leaveLine(id) }
    }
    defer { timer.cancel() }
    let connection = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let connection = state.withLock { state -> PostgresConnection?? in
          if let connection = state.idle.popLast() { return connection }
          if state.isClosed { return .some(nil) }
          state.waiting.append((id, continuation))
          return nil
        }
        if let connection { continuation.resume(returning: connection) }
      }
    } onCancel: {
      leaveLine(id)
    }
    if let connection { return connection }
    try Task.checkCancellation()
    if state.withLock(\.isClosed) { throw PostgresError(.closed, "the store was closed") }
    throw PostgresError(.timedOut, "all connections were busy for \(settings.lineLimit)")
  }

  /// An idle or a new connection; nil if all are taken.
  private func free() throws -> PostgresConnection? {
    try state.withLock { state in
      guard !state.isClosed else { throw PostgresError(.closed, "the store was closed") }
      if let connection = state.idle.popLast() { return connection }
      guard state.made < settings.connections else { return nil }
      state.made += 1
      return PostgresConnection(settings)
    }
  }

  private func leaveLine(_ id: UInt64) {
    let continuation = state.withLock { state -> CheckedContinuation<PostgresConnection?, Never>? in
      guard let place = state.waiting.firstIndex(where: { $0.id == id }) else { return nil }
      return state.waiting.remove(at: place).1
    }
    continuation?.resume(returning: nil)
  }

  private func give(_ connection: PostgresConnection) {
    let next = state.withLock { state -> CheckedContinuation<PostgresConnection?, Never>? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst().1 }
      if !state.isClosed { state.idle.append(connection) }
      return nil
    }
    next?.resume(returning: connection)
  }
}
