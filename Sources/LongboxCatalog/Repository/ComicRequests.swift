// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxStore
import LongboxUpstream

/// The requests to xkcd for one repository: equal ones are joined, and failures are stored with the next try.
final class ComicRequests: Sendable {
  /// A part of a comic, as the key for joining equal requests.
  enum Key: Hashable {
    case newest
    case record(Comic.Number)
    case picture(Comic.Number)
    case doubleSize(Comic.Number)
    case larger(Comic.Number)
    case thumbnail(Comic.Number)

    init(_ part: ComicPart, of number: Comic.Number) {
      self =
        switch part {
        case .record: .record(number)
        case .picture: .picture(number)
        case .doubleSize: .doubleSize(number)
        case .larger: .larger(number)
        }
    }
  }

  private let store: Store
  private let now: @Sendable () -> Date
  private let requests = SourceRequests<Key>(to: .xkcd)

  init(store: Store, now: @escaping @Sendable () -> Date) {
    self.store = store
    self.now = now
  }

  /// The number of callers that wait for a request.
  func waiterCount(for key: Key) async -> Int { await requests.underWay.waiterCount(for: key) }

  /// Runs a request, or joins an equal one that is under way.
  func once(_ key: Key, _ work: @escaping @Sendable () async throws -> Void) async throws {
    try await requests.underWay.value(for: key, work)
  }

  /// Fetches for a reader, ahead of the background fill, unless the source is known to be down or has just failed.
  func forReader(_ key: Key, _ work: @escaping @Sendable () async throws -> Void) async throws {
    try await RequestPriority.$current.withValue(.reader) {
      try await requests.forReader(key, now: now, work)
    }
  }

  /// Runs a reader's request when it is its turn, see ``SourceRequests/inTurn(of:_:_:)``.
  func inTurn(
    of client: String?,
    _ key: Key,
    _ work: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await requests.inTurn(of: client, key, work)
  }

  /// The number of a client's requests that wait for their turn.
  func waitingCount(of client: String?) async -> Int { await requests.waitingCount(of: client) }

  /// Notes that the source has answered.
  func noteAnswer() { requests.breaker.end() }

  /// Notes that a request failed.
  func noteFailure(_ error: UpstreamError, for key: Key) {
    requests.breaker.note(error, for: key, at: now())
  }

  /// Stores a failure, unless the source is down.
  /// - Returns: the error to throw.
  func stored(
    _ error: UpstreamError,
    _ part: ComicPart,
    of number: Comic.Number
  ) async throws -> CatalogError {
    noteFailure(error, for: Key(part, of: number))
    switch error {
    case .notFound:
      let isExtra = part == .doubleSize || part == .larger
      let pause = isExtra ? FetchPause.absentDoubleSize : FetchPause.absent
      try await store.fetches.noteAbsent(part, of: number, lookAgain: now().addingTimeInterval(pause))
      return .absent
    case .cancelled, .busy, .rateLimited, .unreachable:
      return .upstream(error)
    case .timedOut, .serverError, .unexpectedStatus, .malformed, .rejected:
      try await storeFailure(error, part, of: number)
      return .upstream(error)
    }
  }

  /// Stores a failure that the comic itself may cause, and when to try again.
  func storeFailure(_ error: UpstreamError, _ part: ComicPart, of number: Comic.Number) async throws {
    let attempts = try await store.fetches.status(of: part, of: number).attempts
    try await store.fetches.noteFailure(
      part,
      of: number,
      reason: error.description,
      nextTry: now().addingTimeInterval(FetchPause.afterFailure(attempts: attempts))
    )
  }

  /// Cancels all requests under way, at shutdown.
  func cancelAll() async { await requests.cancelAll() }
}
