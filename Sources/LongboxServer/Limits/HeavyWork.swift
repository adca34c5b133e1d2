// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxReaders
import Synchronization

/// Runs work that takes long, such as an export, apart from all other requests: one piece at a time, and clients take turns.
///
/// So heavy work takes at most one thread, and a client with many heavy requests waits for itself.
final class HeavyWork: Sendable {
  private struct State {
    /// The waiting pieces of each client, the oldest first.
    var pieces: [ClientAddress: [@Sendable () -> Void]] = [:]
    /// The clients with waiting pieces, in the order of their turns.
    var turns: [ClientAddress] = []
  }

  /// The maximum number of a client's waiting pieces.
  static let mostWaiting = 32
  /// Above this number of entries, the pages of a library are heavy; one with all comics read has fewer.
  static let largeLibrary = 5_000
  /// Above this number of entries or bytes, what a device sends to its library is heavy.
  static let largeChange = (entries: 2_000, bytes: 256 << 10)
  /// Above this number of bytes, a search is heavy: each word takes time.
  private static let longSearch = 40

  private let incidents: IncidentLog
  private let thread = SerialThread(label: "longbox.heavy")
  private let state = Mutex(State())

  /// Creates a queue.
  /// - Parameter incidents: logs rejections.
  init(incidents: IncidentLog) {
    self.incidents = incidents
  }

  /// Whether a search takes long.
  static func isHeavy(searchFor words: Text) -> Bool { words.count > longSearch }

  /// The number of a client's waiting pieces.
  func waitingCount(_ client: ClientAddress) -> Int { state.withLock { $0.pieces[client]?.count ?? 0 } }

  /// Runs a piece of work when its client has its turn.
  /// - Parameters:
  ///   - client: the client's address.
  ///   - isHeavy: whether it takes long; otherwise it runs at once.
  ///   - work: the work.
  /// - Throws: `HTTPError` with status 503 if too many pieces of the client wait already.
  func run<Value: Sendable>(
    for client: ClientAddress,
    if isHeavy: Bool = true,
    _ work: @escaping @Sendable () -> Value
  ) async throws -> Value {
    guard isHeavy else { return work() }
    return try await withCheckedThrowingContinuation { continuation in
      guard add({ continuation.resume(returning: work()) }, of: client) else {
        incidents.note(.heavyWork, "\(client)")
        continuation.resume(
          throwing: HTTPError(
            .serviceUnavailable,
            message: "Too many large pages are being made for your network. Try again in a few seconds."
          )
        )
        return
      }
      thread.start { self.runNext() }
    }
  }

  /// Changes a library when its client has its turn.
  /// - Parameters:
  ///   - replica: the library.
  ///   - client: the client's address.
  ///   - change: the change.
  /// - Throws: `HTTPError` like `run`; the library is unchanged then.
  func edit<Outcome: Sendable>(
    _ replica: inout Replica,
    for client: ClientAddress,
    _ change: @escaping @Sendable (inout Replica) -> Outcome
  ) async throws -> Outcome {
    let before = replica
    let (changed, outcome) = try await run(for: client) {
      var replica = before
      let outcome = change(&replica)
      return (replica, outcome)
    }
    replica = changed
    return outcome
  }

  /// Answers a question, with snippets from the explanations that can be read.
  /// - Throws: `HTTPError` like `run`.
  func results(
    for question: SearchQuestion,
    in snapshot: Catalog.Snapshot,
    of catalog: Catalog,
    for client: ClientAddress
  ) async throws -> SearchResults {
    let isHeavy = Self.isHeavy(searchFor: question.text)
    return try await catalog.results(for: question, in: snapshot) { search in
      try await run(for: client, if: isHeavy, search)
    }
  }

  private func add(_ piece: @escaping @Sendable () -> Void, of client: ClientAddress) -> Bool {
    state.withLock { state in
      guard let waiting = state.pieces[client] else {
        state.pieces[client] = [piece]
        state.turns.append(client)
        return true
      }
      guard waiting.count < Self.mostWaiting else { return false }
      state.pieces[client]?.append(piece)
      return true
    }
  }

  /// Runs the oldest piece of the client whose turn it is; the client's next one waits for all others' turns.
  private func runNext() {
    let piece = state.withLock { state -> (@Sendable () -> Void)? in
      guard !state.turns.isEmpty else { return nil }
      let client = state.turns.removeFirst()
      let piece = state.pieces[client]?.removeFirst()
      if state.pieces[client]?.isEmpty == false {
        state.turns.append(client)
      } else {
        state.pieces[client] = nil
      }
      return piece
    }
    piece?()
  }
}
