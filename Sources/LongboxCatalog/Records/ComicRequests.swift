// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxStore
import LongboxUpstream
import Synchronization

/// The requests to xkcd for one repository; failures are stored with the next try.
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

  /// Notices a comic that looks like an outage of xkcd.
  let suspect = OutageSuspect()
  /// Joins equal requests, lets clients take turns, and notices outages.
  let source = SourceRequests<Key>(to: .xkcd)
  private let store: Store
  private let nodes: OtherNodes
  private let now: @Sendable () -> Date

  init(store: Store, nodes: OtherNodes, now: @escaping @Sendable () -> Date) {
    self.store = store
    self.nodes = nodes
    self.now = now
  }

  /// Fetches a part for a reader, ahead of the background fill, or lets the leader of several nodes fetch it.
  /// - Throws: at once if the part has just failed or xkcd is known to be down.
  func forReader(
    _ part: ComicPart,
    of number: Comic.Number,
    _ fetch: @escaping @Sendable (RequestPriority) async throws -> Void
  ) async throws {
    try await source.fetch(Key(part, of: number), now: now) { [nodes] in
      if try await nodes.leaderFetched(LeaderRequest(.init(part), of: number)) { return }
      try await fetch(.reader)
    }
  }

  /// Runs a request in any case, or joins an equal one that is under way.
  func once(_ key: Key, _ work: @escaping @Sendable () async throws -> Void) async throws {
    try await source.underWay.value(for: key, work)
  }

  /// Notes that the source has answered.
  func noteAnswer() { source.breaker.end() }

  /// Notes that a request failed.
  func noteFailure(_ error: UpstreamError, for key: Key) {
    source.breaker.note(error, for: key, at: now())
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
      let pause = isExtra ? FetchPause.absentExtra : FetchPause.absent
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
  func cancelAll() async { await source.cancelAll() }
}

extension LeaderRequest.Part {
  fileprivate init(_ part: ComicPart) {
    self =
      switch part {
      case .record: .record
      case .picture: .picture
      case .doubleSize: .doubleSize
      case .larger: .larger
      }
  }
}

/// How long Longbox waits before it asks xkcd for the same thing again, in seconds.
enum FetchPause {
  /// Between two checks of a comic that may still change.
  static let lookAgain: TimeInterval = 6 * 3600
  /// After the source says that there is no such comic or picture.
  static let absent: TimeInterval = 24 * 3600
  /// After the source says that there is no double-size picture, or no larger version.
  static let absentExtra: TimeInterval = 30 * 24 * 3600

  /// After a failure that the comic itself may cause: five minutes, doubled each time, up to a day.
  static func afterFailure(attempts: Int) -> TimeInterval {
    min(300 * pow(2, Double(min(max(attempts, 0), 10))), 24 * 3600)
  }
}

/// The comic at which the source seemed to be down.
///
/// A broken connection or a 403 may come from this one comic, which would then block all others forever. If the check
/// for the newest comic succeeds in between and the source then fails here again, the comic is the cause.
final class OutageSuspect: Sendable {
  private struct Suspect: Equatable {
    var part: ComicPart
    var number: Comic.Number
    var sourceAnswered = false
  }

  private let suspect = Mutex<Suspect?>(nil)

  /// Notes that the source has answered the check for the newest comic.
  func noteNewestAnswered() {
    suspect.withLock { $0?.sourceAnswered = true }
  }

  /// Notes that the source seemed to be down at a comic.
  /// - Returns: whether the comic itself is the reason.
  func noteOutage(at number: Comic.Number, for part: ComicPart) -> Bool {
    let confirmed = Suspect(part: part, number: number, sourceAnswered: true)
    return suspect.withLock { suspect in
      let isConfirmed = suspect == confirmed
      suspect = isConfirmed ? nil : Suspect(part: part, number: number)
      return isConfirmed
    }
  }
}
