// Longbox
// SPDX-License-Identifier: MIT

import Logging
import LongboxCore
import LongboxStore
import LongboxUpstream
public import ServiceLifecycle

/// Fetches what readers of other nodes wait for, while this node leads.
public struct LeaderRequestService: Service {
  let comics: ComicRepository
  let cluster: Cluster
  let logger: Logger

  /// Maximum number of requests at the same time; each source also has its own limit.
  private static let batchSize = 8

  /// Runs until shutdown.
  public func run() async throws {
    let hints = cluster.listener.hints()
    await cancelWhenGracefulShutdown {
      await handleAll()
      for await _ in hints { await handleAll() }
    }
  }

  /// Handles all open requests.
  private func handleAll() async {
    do {
      while !Task.isCancelled {
        let requests = try await cluster.requests.open(limit: Self.batchSize)
        if requests.isEmpty { return }
        try await withThrowingTaskGroup(of: Void.self) { group in
          for request in requests {
            group.addTask { try await cluster.requests.finish(request, await outcome(of: request)) }
          }
          try await group.waitForAll()
        }
      }
    } catch {
      guard !Task.isCancelled else { return }
      logger.warning("Requests of other nodes can't be read.", metadata: ["error": "\(error)"])
    }
  }

  private func outcome(of request: LeaderRequest) async -> LeaderRequest.Outcome {
    do {
      switch request.part {
      case .record: try await comics.comicFetcher.ensure(request.number)
      case .picture: try await comics.pictureFetcher.ensure(request.number)
      case .doubleSize: _ = try await comics.pictureFetcher.picture(.doubleSize, of: request.number)
      case .explanation: try await comics.explanationFetcher.ensure(request.number)
      }
      return .stored
    } catch {
      let error = CatalogError(error)
      return error == .absent ? .failed(nil) : .failed(error.description)
    }
  }
}
