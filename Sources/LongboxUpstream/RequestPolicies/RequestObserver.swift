// Longbox
// SPDX-License-Identifier: MIT

import Synchronization

/// Closures that count the requests to sources; they must not block.
public struct RequestObserver: Sendable {
  /// A request is queued.
  let queued: @Sendable (Source) -> Void
  /// A request has left the queue: it is sent, or was given up.
  let left: @Sendable (Source) -> Void
  /// A request is sent after it has waited for a time.
  let sent: @Sendable (Source, _ wait: Duration) -> Void
  /// A request has ended after a time, with an outcome such as `answered` or `timedOut`.
  let ended: @Sendable (Source, _ outcome: String, _ time: Duration) -> Void

  /// Makes an observer.
  public init(
    queued: @escaping @Sendable (Source) -> Void,
    left: @escaping @Sendable (Source) -> Void,
    sent: @escaping @Sendable (Source, _ wait: Duration) -> Void,
    ended: @escaping @Sendable (Source, _ outcome: String, _ time: Duration) -> Void
  ) {
    self.queued = queued
    self.left = left
    self.sent = sent
    self.ended = ended
  }

  /// A request that waits, or is sent.
  final class PendingRequest: Sendable {
    let start = ContinuousClock.now
    private let observer: RequestObserver
    private let source: Source
    private let isOver = Atomic(false)

    init(_ source: Source, _ observer: RequestObserver) {
      self.source = source
      self.observer = observer
      observer.queued(source)
    }

    /// Ends the wait, once.
    /// - Returns: whether this call ended it.
    @discardableResult
    func end() -> Bool {
      guard !isOver.exchange(true, ordering: .relaxed) else { return false }
      observer.left(source)
      return true
    }

    @TaskLocal static var current: PendingRequest?
  }
}

extension Transport {
  /// Notes when a request is queued; ``observingExchange(_:)`` notes when it is sent.
  func observingQueue(_ observer: RequestObserver?) -> Transport {
    guard let observer else { return self }
    return Transport { exchange throws(UpstreamError) in
      let pending = RequestObserver.PendingRequest(exchange.source, observer)
      let outcome = await RequestObserver.PendingRequest.$current.withValue(pending) {
        await self.outcome(of: exchange)
      }
      pending.end()
      return try outcome.get()
    }
  }

  /// Notes each request that is sent, and how it ended.
  func observingExchange(_ observer: RequestObserver?) -> Transport {
    guard let observer else { return self }
    let send = self.send
    return Transport { exchange throws(UpstreamError) in
      let start = ContinuousClock.now
      if let pending = RequestObserver.PendingRequest.current, pending.end() {
        observer.sent(exchange.source, start - pending.start)
      }
      do throws(UpstreamError) {
        let reply = try await send(exchange)
        observer.ended(
          exchange.source,
          reply.status == 304 ? "notModified" : "answered",
          ContinuousClock.now - start
        )
        return reply
      } catch {
        observer.ended(exchange.source, error.outcome, ContinuousClock.now - start)
        throw error
      }
    }
  }
}

extension UpstreamError {
  /// The kind of error, for counting.
  fileprivate var outcome: String {
    switch self {
    case .notFound: "notFound"
    case .rateLimited: "rateLimited"
    case .busy: "busy"
    case .unreachable: "unreachable"
    case .timedOut: "timedOut"
    case .serverError: "serverError"
    case .unexpectedStatus: "unexpectedStatus"
    case .malformed: "malformed"
    case .rejected: "rejected"
    case .cancelled: "cancelled"
    }
  }
}
