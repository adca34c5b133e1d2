// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxStore
import LongboxUpstream

/// Asks the leader to fetch what a reader of this node waits for.
///
/// A leader, or a single node, fetches by itself.
struct LeaderRequests: Sendable {
  private let cluster: Cluster?
  private let view: NodeCaches
  private let pending = SingleFlight<LeaderRequest, Void>()
  /// The pause between two checks whether the leader is done.
  private static let pause = Duration.milliseconds(100)
  /// Maximum wait for the leader; readers wait less.
  private static let limit = Duration.seconds(60)

  init(cluster: Cluster?, view: NodeCaches) {
    self.cluster = cluster
    self.view = view
  }

  /// Waits until the leader has handled a request.
  /// - Returns: false if this node must fetch it itself.
  /// - Throws: `CatalogError`.
  func fetched(_ request: LeaderRequest) async throws -> Bool {
    guard let cluster, cluster.isFollower else { return false }
    try await pending.value(for: request) { try await wait(for: request, in: cluster) }
    return true
  }

  private func wait(for request: LeaderRequest, in cluster: Cluster) async throws {
    try await cluster.requests.add(request)
    let end = ContinuousClock.now + Self.limit
    while ContinuousClock.now < end {
      try await Task.sleep(for: Self.pause)
      switch try await cluster.requests.outcome(of: request) {
      case .waiting: continue
      case .stored:
        return try await view.follow()
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
