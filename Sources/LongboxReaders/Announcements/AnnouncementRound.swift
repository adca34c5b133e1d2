// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxCore
import LongboxPush
import LongboxStore
import ServiceLifecycle

/// Sends the messages due to subscribers of one push service.
///
/// It claims and updates subscriptions in batches while it encrypts and sends other messages. If a service
/// doesn't answer at all, the round stops and the service is paused.
struct AnnouncementRound {
  /// The push service.
  let origin: String
  let archive: Archive
  let newest: Comic.Number
  let sender: PushSender
  /// The path of a comic's thumbnail on this server; nil if it has none.
  let thumbnail: @Sendable (ArchivedComic) -> String?
  let store: Store
  let now: @Sendable () -> Date
  let rejections: RejectionLog
  let logger: Logger

  /// The number of attempts before a message is given up, after about a day.
  private static let mostAttempts = 12
  /// The pause for a service that doesn't answer or whose name can't be resolved.
  private static let outagePause: TimeInterval = 5 * 60
  /// The pause for a service that is rejected.
  private static let rejectionPause: TimeInterval = 3600
  /// The number of subscriptions claimed at once.
  private static let batchSize = 128
  /// The maximum number claimed: more than can be sent at a time, so that no connection is idle.
  private static let mostClaimed = 512
  /// After this many unanswered messages in a row, the round stops.
  private static let mostUnanswered = 64

  /// A subscription with a message in progress, and its announcement.
  private typealias Pending = (subscription: StoredSubscription, announcement: Announcement)

  /// Sends all messages that are due.
  /// - Throws: `StoreError`; `CancellationError`.
  func run() async throws {
    guard let service = PushEndpoint.Origin(origin) else { return }
    do {
      try await sender.withService(at: service) { connection in try await notify(over: connection) }
    } catch let rejection as EndpointRejection {
      try await reject(rejection)
    } catch let error as StoreError {
      throw error
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      // An error of this service only, such as an unusable address: other services continue.
      logger.error("A push service can’t be used.", metadata: ["service": "\(origin)", "error": "\(error)"])
      try await postpone(for: Self.outagePause, "The push service can’t be used: \(error)")
    }
  }

  private func reject(_ rejection: EndpointRejection) async throws {
    var pause = Self.rejectionPause
    if case .unknownHost = rejection {
      // The name server may be down.
      pause = Self.outagePause
    } else {
      rejections.note(rejection, of: origin)
    }
    let reason = rejection.description
    try await store.announcements.reject(
      origin,
      atMost: Self.mostAttempts,
      reason: reason,
      upTo: newest,
      at: now()
    )
    try await postpone(for: pause, reason)
  }

  private func notify(over connection: PushService) async throws {
    var arrivals = connection.results.makeAsyncIterator()
    var progress = Progress()
    while true {
      let isStopping =
        progress.silence >= Self.mostUnanswered || Task.isCancelled || Task.isShuttingDownGracefully
      if isStopping { connection.withdraw() }
      while !isStopping, !progress.isDone, progress.underWay.count + Self.batchSize <= Self.mostClaimed {
        connection.enqueue(try await nextMessages(&progress))
      }
      guard !progress.underWay.isEmpty, let results = await arrivals.next() else { break }
      // Store results at once: the sooner, the fewer messages are repeated after a kill.
      let updates = results.compactMap { result in
        progress.end(result, upTo: newest).map { update($0, after: result.outcome) }
      }
      try await store.announcements.update(updates, at: now())
    }
    if progress.silence >= Self.mostUnanswered {
      try await postpone(for: Self.outagePause, "The push service does not answer.")
    }
    logger.info(
      "Notified browsers of new comics.",
      metadata: ["service": "\(origin)", "messages": "\(progress.sent)"]
    )
  }

  private struct Progress {
    var underWay: [Message.ID: Pending] = [:]
    var sent = 0
    /// The number of unanswered messages in a row.
    var silence = 0
    /// Whether nothing more is due.
    var isDone = false

    /// Counts a result; returns the finished message's subscription and announcement.
    mutating func end(_ result: DeliveryResult, upTo newest: Comic.Number) -> Pending? {
      guard let pending = underWay.removeValue(forKey: result.message) else { return nil }
      switch result.outcome {
      case .unsent: break
      case .unanswered:
        sent += 1
        silence += 1
      case .delivered, .gone, .later, .unauthorized, .rejected:
        sent += 1
        silence = 0
        // The subscription may have another message due.
        if pending.announcement.last < newest { isDone = false }
      }
      return pending
    }
  }

  /// Claims the next subscriptions and returns their messages; none if nothing is due.
  private func nextMessages(_ progress: inout Progress) async throws -> [Message] {
    repeat {
      let due = try await store.announcements.subscriptionsToNotify(
        at: origin,
        upTo: newest,
        at: now(),
        limit: Self.batchSize
      )
      progress.isDone = due.isEmpty
      let batch = try batch(for: due)
      if !batch.updates.isEmpty { try await store.announcements.update(batch.updates, at: now()) }
      let claimed = try await claim(batch.messages)
      let messages = batch.messages.filter { claimed.contains($0.message.id) }
      for (message, pending) in messages { progress.underWay[message.id] = pending }
      if !messages.isEmpty { return messages.map(\.message) }
    } while !progress.isDone
    return []
  }

  /// The messages to some subscriptions, and the updates of those that get none now.
  private struct Batch {
    var messages: [(message: Message, pending: Pending)] = []
    var updates: [SubscriptionUpdate] = []
  }

  /// Writes what is due to some subscriptions; subscribers in quiet hours wait.
  private func batch(for due: [StoredSubscription]) throws -> Batch {
    var batch = Batch()
    var texts: [Announcement: [UInt8]] = [:]
    for subscription in due {
      if let end = subscription.preferences.quietUntil(at: now()) {
        batch.updates.append(SubscriptionUpdate(subscription.id, .later(end, reason: nil)))
        continue
      }
      let next = Announcement(
        after: subscription.announced ?? newest,
        upTo: newest,
        in: archive,
        hidesSpoilers: subscription.preferences.hidesSpoilers
      )
      guard let next else {
        batch.updates.append(SubscriptionUpdate(subscription.id, .announced(newest)))
        continue
      }
      let text = try texts[next] ?? next.text(in: archive, thumbnail: thumbnail)
      texts[next] = text
      do {
        batch.messages.append((try message(text, of: next, to: subscription), (subscription, next)))
      } catch {
        // The stored subscription is invalid, although validation should have rejected it.
        batch.updates.append(SubscriptionUpdate(subscription.id, .givenUp(next.last, reason: "\(error)")))
      }
    }
    return batch
  }

  /// Claims the subscriptions of some messages, so that no other node sends these.
  /// - Returns: the claimed ones; none if the claims took so long that another node may have them soon.
  private func claim(_ messages: [(message: Message, pending: Pending)]) async throws -> Set<Message.ID> {
    guard !messages.isEmpty else { return [] }
    let start = ContinuousClock.now
    let claimed = try await store.announcements.claim(
      messages.map { (subscription: $0.message.id, comic: $0.pending.announcement.last) }
    )
    if ContinuousClock.now - start < AnnouncementStore.claimLease / 2 { return claimed }
    // This process was paused.
    try await store.announcements.update(claimed.map { SubscriptionUpdate($0, .unsent) }, at: now())
    return []
  }

  private func message(
    _ text: [UInt8],
    of announcement: Announcement,
    to subscription: StoredSubscription
  ) throws -> Message {
    Message(
      id: subscription.id,
      to: try sender.endpoint(subscription.endpoint),
      try SubscriberKeys(publicKey: subscription.publicKey, secret: subscription.secret),
      text: text,
      timeToLive: Announcement.timeToLive,
      topic: announcement.topic
    )
  }

  private func update(_ pending: Pending, after outcome: DeliveryResult.Outcome) -> SubscriptionUpdate {
    let (subscription, last) = (pending.subscription, pending.announcement.last)
    func again(after requested: Duration?, _ reason: String) -> SubscriptionUpdate.Change {
      let attempts = subscription.attempts + 1
      guard attempts < Self.mostAttempts else { return .givenUp(last, reason: reason) }
      let pause = RetryPause.seconds(attempts: attempts, requested: requested, jitter: .random(in: 0..<1))
      return .later(now().addingTimeInterval(pause), reason: reason)
    }
    let change: SubscriptionUpdate.Change =
      switch outcome {
      case .delivered: .announced(last)
      case .gone: .gone
      case .later(let requested, let reason): again(after: requested, reason)
      case .unanswered(let reason): again(after: nil, reason)
      case .unauthorized(let reason):
        .interrupted(until: now().addingTimeInterval(SubscriptionConfirmer.interruptionPause), reason: reason)
      case .rejected(let reason): .givenUp(last, reason: reason)
      case .unsent: .unsent
      }
    return SubscriptionUpdate(subscription.id, change, at: subscription.endpoint)
  }

  private func postpone(for pause: TimeInterval, _ reason: String) async throws {
    try await store.announcements.postpone(
      origin,
      until: now().addingTimeInterval(pause),
      reason: reason,
      upTo: newest,
      at: now()
    )
  }
}
