// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxCore
import LongboxPush
import LongboxStore
import ServiceLifecycle

/// One round of messages to the subscribers of one push service.
///
/// Subscriptions are claimed and updated together, some at a time, while others' messages are encrypted and sent. A service that
/// answers nothing at all is left alone for a while.
struct AnnouncementRound {
  let service: String
  let archive: Archive
  /// The newest comic to announce.
  let newest: Comic.Number
  let sender: PushSender
  let thumbnail: @Sendable (ArchivedComic) -> String?
  let store: Store
  let now: @Sendable () -> Date
  let refusals: RefusalLog
  let logger: Logger

  /// After so many tries a message is given up: about a day.
  private static let mostAttempts = 12
  /// How long a service is left alone that did not answer, or whose name nobody knows just now.
  private static let rest: TimeInterval = 5 * 60
  /// How long one is left alone that may not be reached.
  private static let longRest: TimeInterval = 3600
  /// How many subscriptions are claimed at once.
  private static let claimed = 128
  /// How many are claimed at the most: more than are under way at a time, so that connections need not wait.
  private static let mostClaimed = 512
  /// After so many in a row to which nothing was answered, nothing more is sent.
  private static let mostSilence = 64
  /// How many messages one task encrypts.
  private static let sealed = 16

  /// A subscription whose message is under way, and what it is notified of.
  private typealias Pending = (subscription: StoredSubscription, announcement: Announcement)

  /// Sends all that is due.
  /// - Throws: `StoreError`; `CancellationError`.
  func run() async throws {
    guard let origin = PushEndpoint.Origin(service) else { return }
    do {
      try await sender.withService(at: origin) { service in try await notify(over: service) }
    } catch let refusal as EndpointRefusal {
      try await refuse(refusal)
    } catch let error as StoreError {
      throw error
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      // This service's trouble, such as an address that can't be used: the others go on.
      logger.error("A push service can’t be used.", metadata: ["service": "\(service)", "error": "\(error)"])
      try await putOff(for: Self.rest, "The push service can’t be used: \(error)")
    }
  }

  private func refuse(_ refusal: EndpointRefusal) async throws {
    var pause = Self.longRest
    if case .unknownHost = refusal {
      // The name server may be away.
      pause = Self.rest
    } else {
      refusals.note(refusal, of: service)
    }
    let reason = refusal.description
    try await store.refuse(service, atMost: Self.mostAttempts, reason: reason, upTo: newest, at: now())
    try await putOff(for: pause, reason)
  }

  private func notify(over service: PushService) async throws {
    var arrivals = service.results.makeAsyncIterator()
    var progress = Progress()
    try await withThrowingDiscardingTaskGroup { group in
      while true {
        let isStopping =
          progress.silence >= Self.mostSilence || Task.isCancelled || Task.isShuttingDownGracefully
        if isStopping { service.withdraw() }
        while !isStopping, !progress.isDone, progress.underWay.count + Self.claimed <= Self.mostClaimed {
          let messages = try await claim(&progress)
          for start in stride(from: 0, to: messages.count, by: Self.sealed) {
            let some = messages[start..<min(start + Self.sealed, messages.count)]
            // Noting the results of earlier ones goes first.
            group.addTask(priority: .utility) { service.send(some) }
          }
        }
        guard !progress.underWay.isEmpty, let results = await arrivals.next() else { break }
        // At once: the shorter the time between a message's arrival and its note, the fewer are repeated after a kill.
        let updates = results.compactMap { result in
          progress.end(result, upTo: newest).map { update($0, after: result.outcome) }
        }
        try await store.update(updates, at: now())
      }
    }
    if progress.silence >= Self.mostSilence {
      try await putOff(for: Self.rest, "The push service does not answer.")
    }
    logger.info(
      "Notified browsers of new comics.",
      metadata: ["service": "\(self.service)", "messages": "\(progress.sent)"]
    )
  }

  /// How far the round has come.
  private struct Progress {
    var underWay: [Message.ID: Pending] = [:]
    /// How many messages were sent.
    var sent = 0
    /// To how many in a row nothing was answered.
    var silence = 0
    /// Whether nothing more is due.
    var isDone = false

    /// Counts what became of a message; gives what was under way.
    mutating func end(_ result: DeliveryResult, upTo newest: Comic.Number) -> Pending? {
      guard let pending = underWay.removeValue(forKey: result.message) else { return nil }
      switch result.outcome {
      case .unsent: break
      case .unanswered:
        sent += 1
        silence += 1
      case .delivered, .gone, .later, .refused:
        sent += 1
        silence = 0
        // The subscription may have another message coming.
        if pending.announcement.last < newest { isDone = false }
      }
      return pending
    }
  }

  /// Claims the next subscriptions and gives their messages; those in their quiet hours wait.
  private func claim(_ progress: inout Progress) async throws -> [Message] {
    while true {
      let due = try await store.subscriptionsToNotify(
        at: service,
        upTo: newest,
        at: now(),
        limit: Self.claimed
      )
      var messages: [Message] = []
      var pending: [Message.ID: Pending] = [:]
      var updates: [SubscriptionUpdate] = []
      var texts: [Announcement: [UInt8]] = [:]
      for subscription in due {
        if let end = subscription.wishes.quietUntil(at: now()) {
          updates.append(SubscriptionUpdate(subscription.id, .later(end, reason: nil)))
          continue
        }
        let next = Announcement(
          after: subscription.announced ?? newest,
          upTo: newest,
          in: archive,
          hidesSpoilers: subscription.wishes.hidesSpoilers
        )
        guard let next else {
          updates.append(SubscriptionUpdate(subscription.id, .announced(newest)))
          continue
        }
        let text = try texts[next] ?? next.text(in: archive, thumbnail: thumbnail)
        texts[next] = text
        do {
          messages.append(try message(text, of: next, to: subscription))
          pending[subscription.id] = (subscription, next)
        } catch {
          // The stored subscription is invalid, although validation should have rejected it.
          updates.append(SubscriptionUpdate(subscription.id, .givenUp(next.last, reason: "\(error)")))
        }
      }
      if !updates.isEmpty { try await store.update(updates, at: now()) }
      let claims = pending.map { (subscription: $0.key, comic: $0.value.announcement.last) }
      let claimed = claims.isEmpty ? [] : try await store.claim(claims)
      messages.removeAll { !claimed.contains($0.id) }
      progress.isDone = due.isEmpty
      for message in messages { progress.underWay[message.id] = pending[message.id] }
      if progress.isDone || !messages.isEmpty { return messages }
    }
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

  /// What the store has to note after a message.
  private func update(_ pending: Pending, after outcome: DeliveryResult.Outcome) -> SubscriptionUpdate {
    let (subscription, last) = (pending.subscription, pending.announcement.last)
    func again(after asked: Duration?, _ reason: String) -> SubscriptionUpdate.Change {
      let attempts = subscription.attempts + 1
      guard attempts < Self.mostAttempts else { return .givenUp(last, reason: reason) }
      let pause = RetryPause.seconds(attempts: attempts, asked: asked, chance: .random(in: 0..<1))
      return .later(now().addingTimeInterval(pause), reason: reason)
    }
    let change: SubscriptionUpdate.Change =
      switch outcome {
      case .delivered: .announced(last)
      case .gone: .gone
      case .later(let asked, let reason): again(after: asked, reason)
      case .unanswered(let reason): again(after: nil, reason)
      case .refused(let reason): .givenUp(last, reason: reason)
      case .unsent: .unsent
      }
    return SubscriptionUpdate(subscription.id, change, at: subscription.endpoint)
  }

  private func putOff(for pause: TimeInterval, _ reason: String) async throws {
    try await store.putOff(
      service,
      until: now().addingTimeInterval(pause),
      reason: reason,
      upTo: newest,
      at: now()
    )
  }
}
