// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxStore
import LongboxUpstream

/// What this node gets from others that use the same store: their changes, and what the leader fetches for its readers.
///
/// With SQLite there are no others.
struct OtherNodes: Sendable {
  let store: Store
  let publisher: ArchivePublisher
  let explanations: ExplanationCache

  /// The pause between two checks whether the leader is done.
  private static let pause = Duration.milliseconds(100)
  /// Maximum wait for the leader; readers wait less.
  private static let leaderLimit = Duration.seconds(60)
  /// Maximum wait of a client that has seen a later revision.
  private static let catchUpLimit = Duration.seconds(1)

  /// Reads what other nodes have stored since the last call, except for the index of explanations, which takes longer.
  func follow() async throws {
    if let newest = try await store.fetches.newestCheck()?.newest { publisher.noteNewest(newest) }
    try await publisher.publish()
    if try await explanations.forgetChanged() { publisher.noteChanged(explanations: []) }
  }

  /// Reads the store if a client has seen a later revision of the archive, which another node has published.
  ///
  /// It waits for a second at most.
  /// - Returns: whether this node can list the changes after that revision. If even the store is behind that revision, a
  ///   backup was restored, and the answer is yes.
  func catchUp(to revision: Int) async -> Bool {
    await catchUp(to: revision, in: { publisher.current.archive.revision }) {
      try await store.comics.revision().value
    } by: {
      try await publisher.publish()
    }
  }

  /// The same for the index of explanations.
  func catchUp(toExplanations change: Int) async -> Bool {
    await catchUp(to: change, in: { publisher.current.explanationIndex.revision }) {
      try await store.explanations.totals().change
    } by: {
      try await publisher.updateIndex()
    }
  }

  private func catchUp(
    to revision: Int,
    in memory: @Sendable () -> Int,
    orStore stored: @escaping @Sendable () async throws -> Int,
    by read: @escaping @Sendable () async throws -> Void
  ) async -> Bool {
    guard store.cluster != nil, revision > memory() else { return true }
    let isStoreBehind = try? await withTimeout(Self.catchUpLimit) {
      guard try await stored() >= revision else { return true }
      try await read()
      return false
    }
    // Without an answer of the database this node can't tell.
    return isStoreBehind == true || memory() >= revision
  }

  /// Waits until the leader has fetched what a reader of this node waits for, if this node follows one.
  /// - Returns: false if this node must fetch it itself.
  /// - Throws: `CatalogError`.
  func leaderFetched(_ request: LeaderRequest) async throws -> Bool {
    guard let cluster = store.cluster, cluster.isFollower else { return false }
    try await cluster.requests.add(request)
    let end = ContinuousClock.now + Self.leaderLimit
    while ContinuousClock.now < end {
      try await Task.sleep(for: Self.pause)
      switch try await cluster.requests.outcome(of: request) {
      case .waiting: continue
      case .stored:
        try await follow()
        return true
      case .failed(nil): throw CatalogError.absent
      case .failed(let reason?): throw CatalogError.leader(reason: reason)
      }
    }
    throw CatalogError.upstream(
      .timedOut(request.source, subject: "the \(request.part.name) of comic \(request.number.value)")
    )
  }
}

extension LeaderRequest {
  fileprivate var source: Source {
    switch part {
    case .record, .picture, .doubleSize, .larger: .xkcd
    case .explanation: .explain
    }
  }
}
