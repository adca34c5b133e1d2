// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxCore
import LongboxPush
import LongboxStore
import ServiceLifecycle

/// One round of messages to those who go by one push service.
///
/// So many are under way at a time; those that have been for long don't count, up to a bound, so that a few that hang
/// hold up nobody. Where nobody is answered at all, the service is left alone for a while.
struct AnnouncementRound {
  let service: String
  let archive: Archive
  /// Up to which comic is told.
  let newest: Comic.Number
  let sender: PushSender
  let store: Store
  let now: @Sendable () -> Date
  let refusals: RefusalLog
  let logger: Logger

  /// How many messages are under way that have only just been sent.
  private static let lanes = 64
  /// After this long a message under way counts as one that hangs.
  private static let soon = Duration.seconds(1)
  /// After so many tries a message is given up: about a day.
  private static let mostAttempts = 12
  /// How long a service is left alone that did not answer.
  private static let rest: TimeInterval = 5 * 60
  /// How long one is left alone that may not be reached.
  private static let longRest: TimeInterval = 3600
  private static let claimed = 128

  private struct Letter: Sendable {
    let subscription: StoredSubscription
    let announcement: Announcement
    let message: PushMessage
  }

  /// What makes two messages the same.
  private struct Draft: Hashable {
    let announcement: Announcement
    let hidesSpoilers: Bool
  }

  private enum Event {
    /// The subscription may have another message coming.
    case answered(isLast: Bool)
    case unanswered
    /// Time has passed: who is under way for long may have to be told from who is not.
    case tick
  }

  /// Sends all that is due.
  /// - Throws: `StoreError`.
  func run() async throws {
    guard let origin = PushEndpoint.Origin(service) else { return }
    do {
      try await sender.withService(at: origin) { service in try await tell(over: service) }
    } catch let refusal as EndpointRefusal {
      refusals.note(refusal, of: service)
      try await putOff(for: Self.longRest, refusal.description)
    }
  }

  private func tell(over service: PushService) async throws {
    let queue = SettlementQueue(store: store, now: now)
    var waiting: [Letter] = []
    var sent = 0
    var isDone = false
    var silence = 0
    try await withThrowingTaskGroup(of: (Int, Event).self) { group in
      var underWay: [Int: ContinuousClock.Instant] = [:]
      group.addTask { await tick() }
      while true {
        let hanging = underWay.values.count { $0.duration(to: .now) > Self.soon }
        let room = min(Self.lanes + hanging, sender.limits.connections)
        let isStopping = silence >= Self.lanes || Task.isCancelled || Task.isShuttingDownGracefully
        while !isStopping, !isDone, underWay.count < room {
          if waiting.isEmpty { waiting = try await letters() }
          guard let letter = waiting.popLast() else {
            isDone = true
            break
          }
          sent += 1
          underWay[sent] = .now
          group.addTask { [sent] in (sent, await send(letter, over: service, queue)) }
        }
        guard !underWay.isEmpty, let (number, event) = try await group.next() else { break }
        underWay[number] = nil
        switch event {
        case .answered(let isLast):
          silence = 0
          isDone = isDone && isLast
        case .unanswered: silence += 1
        case .tick: group.addTask { await tick() }
        }
      }
      group.cancelAll()
    }
    // What was claimed and not sent.
    for letter in waiting { await queue.add(Settlement(letter.subscription.id, .later(now(), reason: nil))) }
    try await queue.finish()
    if silence >= Self.lanes { try await putOff(for: Self.rest, "The push service does not answer.") }
    logger.info(
      "Told browsers of new comics.",
      metadata: ["service": "\(self.service)", "messages": "\(sent)"]
    )
  }

  private func tick() async -> (Int, Event) {
    try? await Task.sleep(for: Self.soon / 2)
    return (0, .tick)
  }

  /// Claims the next messages; those for readers who are not to be disturbed wait.
  private func letters() async throws -> [Letter] {
    while true {
      let due = try await store.subscriptionsToTell(at: service, upTo: newest, at: now(), limit: Self.claimed)
      guard !due.isEmpty else { return [] }
      var letters: [Letter] = []
      var settlements: [Settlement] = []
      var messages: [Draft: PushMessage] = [:]
      for subscription in due {
        let announced = subscription.announced ?? newest
        if let end = subscription.wishes.quietUntil(at: now()) {
          settlements.append(Settlement(subscription.id, .later(end, reason: nil)))
        } else if let next = Announcement(after: announced, upTo: newest, in: archive) {
          let draft = Draft(announcement: next, hidesSpoilers: subscription.wishes.hidesSpoilers)
          let message =
            try messages[draft] ?? next.message(in: archive, hidesSpoilers: draft.hidesSpoilers)
          messages[draft] = message
          letters.append(Letter(subscription: subscription, announcement: next, message: message))
        } else {
          settlements.append(Settlement(subscription.id, .announced(newest)))
        }
      }
      if !settlements.isEmpty { try await store.settle(settlements, at: now()) }
      let claims = letters.map { (subscription: $0.subscription.id, comic: $0.announcement.last) }
      let claimed = claims.isEmpty ? [] : try await store.claim(claims)
      letters.removeAll { !claimed.contains($0.subscription.id) }
      // Taken from the end, so the first is sent first.
      if !letters.isEmpty { return letters.reversed() }
    }
  }

  private func send(_ letter: Letter, over service: PushService, _ queue: SettlementQueue) async -> Event {
    let subscription = letter.subscription
    let outcome: PushOutcome
    do {
      let endpoint = try sender.endpoint(subscription.endpoint)
      let keys = try SubscriberKeys(publicKey: subscription.publicKey, secret: subscription.secret)
      outcome = await service.send(letter.message, to: endpoint, keys)
    } catch {
      // The operator trusts the service no more.
      outcome = .refused(reason: "\(error)")
    }
    await queue.add(Settlement(subscription.id, end(of: letter, outcome)))
    if case .unanswered = outcome { return .unanswered }
    return .answered(isLast: letter.announcement.last >= newest)
  }

  private func end(of letter: Letter, _ outcome: PushOutcome) -> Settlement.End {
    let last = letter.announcement.last
    func again(after asked: Duration?, _ reason: String) -> Settlement.End {
      let attempts = letter.subscription.attempts + 1
      guard attempts < Self.mostAttempts else { return .givenUp(last, reason: reason) }
      let pause = RetryPause.seconds(attempts: attempts, asked: asked, chance: .random(in: 0..<1))
      return .later(now().addingTimeInterval(pause), reason: reason)
    }
    switch outcome {
    case .delivered: return .announced(last)
    case .gone: return .gone
    case .later(let asked, let reason): return again(after: asked, reason)
    case .unanswered(let reason): return again(after: nil, reason)
    case .refused(let reason): return .givenUp(last, reason: reason)
    }
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
