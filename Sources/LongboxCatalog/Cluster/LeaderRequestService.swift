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
  private static let limit = 8

  private enum Event: Sendable {
    /// There may be new requests.
    case hint
    /// A request has ended; the error if its outcome couldn't be stored.
    case ended(LeaderRequest, StoreError?)
  }

  public func run() async throws {
    await cancelWhenGracefulShutdown { await handleAll() }
  }

  /// Starts open requests after each hint, the first of which comes at once, and whenever a request has ended.
  private func handleAll() async {
    let (events, event) = AsyncStream.makeStream(of: Event.self)
    await withDiscardingTaskGroup { group in
      group.addTask {
        for await _ in cluster.listener.hints() { event.yield(.hint) }
        event.finish()
      }
      var underWay: Set<LeaderRequest> = []
      for await next in events {
        if case .ended(let request, let error) = next {
          underWay.remove(request)
          if let error {
            // The request is still open. To start it at once could repeat the failure without a pause.
            log(error)
            continue
          }
        }
        for request in await openRequests()
        where underWay.count < Self.limit && underWay.insert(request).inserted {
          group.addTask { event.yield(.ended(request, await handle(request))) }
        }
      }
    }
  }

  /// The oldest open requests, including those under way.
  private func openRequests() async -> [LeaderRequest] {
    do throws(StoreError) {
      return try await cluster.requests.open(limit: Self.limit)
    } catch {
      log(error)
      return []
    }
  }

  /// Handles a request.
  /// - Returns: the error if its outcome couldn't be stored.
  private func handle(_ request: LeaderRequest) async -> StoreError? {
    let outcome = await outcome(of: request)
    do throws(StoreError) {
      try await cluster.requests.finish(request, outcome)
      return nil
    } catch {
      return error
    }
  }

  private func outcome(of request: LeaderRequest) async -> LeaderRequest.Outcome {
    do {
      switch request.part {
      case .record: try await comics.records.ensure(request.number)
      case .picture: try await comics.pictures.ensure(request.number)
      case .doubleSize: _ = try await comics.pictures.picture(.doubleSize, of: request.number)
      case .larger: _ = try await comics.pictures.picture(.larger, of: request.number)
      case .explanation: try await comics.explanations.ensure(request.number)
      }
      return .stored
    } catch {
      let error = CatalogError(error)
      return error == .absent ? .failed(nil) : .failed(error.description)
    }
  }

  private func log(_ error: StoreError) {
    guard !Task.isCancelled else { return }
    logger.warning(
      "Requests of other nodes can't be read or answered; Longbox tries again within ten seconds.",
      metadata: ["error": "\(error)"]
    )
  }
}
