// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import Logging
import LongboxCatalog
public import LongboxPush
public import LongboxStore
public import ServiceLifecycle
import Synchronization

/// Sends a first message to each new subscription, which is confirmed once its push service accepts the message.
///
/// The message is sent at once, and again by ``run()`` with growing pauses. The subscription is removed if the push
/// service rejects the message, or hasn't accepted it within a day. One that was confirmed until its push service
/// rejected this server's key is tried twice a day, since the old key may come back.
public struct SubscriptionConfirmer: Service {
  /// What became of a first message.
  public enum Outcome: Equatable, Sendable {
    /// The push service has accepted it.
    case confirmed
    /// The push service has not accepted it yet; it is tried again.
    case waiting
    /// The push service rejects this server's key, which it accepted before; the browser can subscribe again.
    case interrupted
    /// The push service takes no messages for this subscription, which is removed.
    case rejected(reason: String)
  }

  /// How long an unconfirmed subscription is tried.
  static let confirmationPeriod: TimeInterval = 24 * 3600
  /// The pause after a push service has rejected this server's key.
  static let interruptionPause: TimeInterval = 12 * 3600
  /// The number of messages in progress; further ones wait for the next pass.
  private static let maxConcurrent = 32
  /// The number of messages that a pass sends at a time.
  private static let sentTogether = 8

  private var store: Store
  private let sender: PushSender
  private let logger: Logger
  private let now: @Sendable () -> Date
  private let running = Running()

  /// The subscriptions whose message is being sent.
  private final class Running: Sendable {
    let ids = Mutex<Set<StoredSubscription.ID>>([])
  }

  public init(store: Store, sender: PushSender, logger: Logger, now: @escaping @Sendable () -> Date) {
    self.store = store
    self.sender = sender
    self.logger = logger
    self.now = now
  }

  /// Tries the subscriptions that are due, once a minute, until shutdown.
  public func run() async {
    await cancelWhenGracefulShutdown { [self] in
      while !Task.isCancelled {
        do {
          try await pass()
        } catch {
          guard !Task.isCancelled else { return }
          logger.error("New subscriptions could not be confirmed.", metadata: ["error": "\(error)"])
        }
        try? await Task.sleep(for: .seconds(60), tolerance: .seconds(5))
      }
    }
  }

  /// Removes subscriptions that were tried for too long, and sends the messages that are due.
  func pass() async throws {
    // Of several nodes, only the leader does this; readers' own requests run on all of them.
    var leading = self
    leading.store = store.forLeader
    let oldest = now().addingTimeInterval(-Self.confirmationPeriod)
    let removed = try await leading.store.subscriptions.removeUnconfirmed(createdUntil: oldest)
    if removed > 0 {
      logger.info("Subscriptions were never confirmed, and are removed.", metadata: ["count": "\(removed)"])
    }
    let due = try await store.subscriptions.unconfirmed(at: now(), limit: Self.maxConcurrent)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (place, subscription) in due.enumerated() {
        if place >= Self.sentTogether { try await group.next() }
        group.addTask { [leading] in _ = try await leading.confirm(subscription, isScheduled: true) }
      }
      try await group.waitForAll()
    }
  }

  /// Sends the first message of a subscription, and waits for the push service's answer for a limited time.
  ///
  /// If no answer comes in time, sending goes on.
  /// - Throws: `StoreError`.
  public func confirm(_ subscription: StoredSubscription, within limit: Duration) async throws -> Outcome {
    try await withTimeout(limit) { [self] in try await confirm(subscription) } ?? .waiting
  }

  /// Sends the first message of a subscription, unless it is being sent.
  /// - Parameter isScheduled: whether its time has come; a reader may ask as often as they like.
  private func confirm(_ subscription: StoredSubscription, isScheduled: Bool = false) async throws -> Outcome
  {
    let isMine = running.ids.withLock { ids in
      ids.count < Self.maxConcurrent && ids.insert(subscription.id).inserted
    }
    guard isMine else { return .waiting }
    defer { running.ids.withLock { _ = $0.remove(subscription.id) } }
    let outcome = await send(to: subscription)
    if subscription.isInterrupted {
      return try await retried(subscription, outcome, isScheduled: isScheduled)
    }
    switch outcome {
    case .delivered:
      try await store.subscriptions.confirm(subscription)
      return .confirmed
    case .gone: return try await remove(subscription, "The push service doesn’t know this browser.")
    case .unauthorized(let reason), .rejected(let reason): return try await remove(subscription, reason)
    case .later(let requested, let reason): return try await postpone(subscription, requested, reason)
    case .unanswered(let reason): return try await postpone(subscription, nil, reason)
    case .unsent: return try await postpone(subscription, nil, "The message was not sent.")
    }
  }

  /// Stores the result of a message to an interrupted subscription, which keeps its place and its wishes.
  private func retried(
    _ subscription: StoredSubscription,
    _ outcome: DeliveryResult.Outcome,
    isScheduled: Bool
  ) async throws -> Outcome {
    let next = now().addingTimeInterval(Self.interruptionPause)
    let change: SubscriptionUpdate.Change
    switch outcome {
    case .delivered:
      try await store.subscriptions.confirm(subscription)
      return .confirmed
    case .gone: return try await remove(subscription, "The push service doesn’t know this browser.")
    case .rejected(let reason): return try await remove(subscription, reason)
    case .unauthorized(let reason):
      change = isScheduled ? .interrupted(until: next, reason: reason) : .later(next, reason: reason)
    case .later(_, let reason), .unanswered(let reason): change = .later(next, reason: reason)
    case .unsent: change = .later(next, reason: nil)
    }
    let update = SubscriptionUpdate(subscription.id, change, at: subscription.endpoint)
    try await store.announcements.update([update], at: now())
    return .interrupted
  }

  private func send(to subscription: StoredSubscription) async -> DeliveryResult.Outcome {
    do {
      let endpoint = try sender.endpoint(subscription.endpoint)
      let message = Message(
        id: subscription.id,
        to: endpoint,
        try SubscriberKeys(publicKey: subscription.publicKey, secret: subscription.secret),
        text: Array(#"{"confirms":true}"#.utf8),
        timeToLive: Int(Self.confirmationPeriod),
        topic: "confirmation"
      )
      return try await sender.withService(at: endpoint.origin) { await $0.send(message) }
    } catch let error as EndpointRejection {
      if case .unknownHost = error { return .unanswered(reason: error.description) }
      return .rejected(reason: error.description)
    } catch {
      return .unanswered(reason: "The push service can’t be used: \(error)")
    }
  }

  private func remove(_ subscription: StoredSubscription, _ reason: String) async throws -> Outcome {
    try await store.subscriptions.removeUnconfirmed(subscription)
    return .rejected(reason: reason)
  }

  private func postpone(
    _ subscription: StoredSubscription,
    _ requested: Duration?,
    _ reason: String
  ) async throws -> Outcome {
    let pause = RetryPause.seconds(
      attempts: subscription.attempts + 1,
      requested: requested,
      jitter: .random(in: 0..<1)
    )
    try await store.subscriptions.postponeConfirmation(
      of: subscription,
      until: now().addingTimeInterval(pause),
      reason: reason,
      at: now()
    )
    return .waiting
  }
}

/// Logs rejected push services, each once, since clients can submit them repeatedly.
public final class RejectionLog: Sendable {
  private let logger: Logger
  private let known = Mutex<Set<String>>([])
  private static let limit = 1000

  public init(logger: Logger) {
    self.logger = logger
  }

  /// Logs a rejection, unless the service was logged before.
  public func note(_ rejection: EndpointRejection, of service: String) {
    let service = String(service.prefix(100))
    let isNew = known.withLock { $0.count < Self.limit && $0.insert(service).inserted }
    guard isNew else { return }
    logger.warning(
      "A push service was rejected.",
      metadata: ["service": "\(service)", "reason": "\(rejection)"]
    )
  }
}
