// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxStore
import LongboxUpstream

/// Lets the leader fetch what a reader of this node waits for.
///
/// A node that leads, or has no others beside it, fetches everything itself.
struct LeaderRequests: Sendable {
  private let cluster: Cluster?
  private let view: NodeView
  private let underWay = SingleFlight<LeaderRequest, Void>()
  /// The pause between two questions whether the leader is done.
  private static let pause = Duration.milliseconds(100)
  /// Maximum wait for the leader; readers wait less.
  private static let limit = Duration.seconds(60)

  init(cluster: Cluster?, view: NodeView) {
    self.cluster = cluster
    self.view = view
  }

  /// Waits until the leader has fetched something, or has failed.
  /// - Returns: whether it was asked; if not, this node fetches.
  /// - Throws: `CatalogError`.
  func fetched(_ request: LeaderRequest) async throws -> Bool {
    guard let cluster, cluster.isFollower else { return false }
    try await underWay.value(for: request) { try await wait(for: request, in: cluster) }
    return true
  }

  private func wait(for request: LeaderRequest, in cluster: Cluster) async throws {
    try await cluster.requests.add(request)
    let end = ContinuousClock.now + Self.limit
    while ContinuousClock.now < end {
      try await Task.sleep(for: Self.pause)
      switch try await cluster.requests.outcome(of: request) {
      case .waiting: continue
      case .settled:
        return try await view.follow()
      case .failed(nil): throw CatalogError.absent
      case .failed(let reason?): throw CatalogError.upstream(.unreachable(request.source, reason: reason))
      }
    }
    throw CatalogError.upstream(
      .timedOut(request.source, subject: "\(request.thing.rawValue) of comic \(request.number.value)")
    )
  }
}

extension LeaderRequest {
  fileprivate var source: Source {
    switch thing {
    case .record, .picture, .doubleSize: .xkcd
    case .explanation: .explain
    }
  }
}
