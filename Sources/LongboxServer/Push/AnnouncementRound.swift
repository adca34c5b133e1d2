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
/// They are claimed and noted together, some at a time, and encrypted and sent meanwhile. Where nobody is answered at all, the
/// service is left alone for a while.
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

  /// After so many tries a message is given up: about a day.
  private static let mostAttempts = 12
  /// How long a service is left alone that did not answer, or whose name nobody knows just now.
  private static let rest: TimeInterval = 5 * 60
  /// How long one is left alone that may not be reached.
  private static let longRest: TimeInterval = 3600
  /// How many messages are claimed at once.
  private static let claimed = 128
  /// How many are claimed at the most: more than are under way at a time, so that connections need not wait.
  private static let mostClaimed = 512
  /// After so many in a row to which nothing was answered, nothing more is sent.
  private static let mostSilence = 64
  /// How many messages one task encrypts.
  private static let sealed = 16

  /// A message that is on its way.
  private struct Letter: Sendable {
    let push: PushLetter
    let announcement: Announcement
    /// How often it was tried before.
    let attempts: Int
  }

  /// What makes two messages the same.
  private struct Draft: Hashable {
    let announcement: Announcement
    let hidesSpoilers: Bool
  }

  /// Sends all that is due.
  /// - Throws: `StoreError`; `CancellationError`.
  func run() async throws {
    guard let origin = PushEndpoint.Origin(service) else { return }
    do {
      try await sender.withService(at: origin) { service in try await tell(over: service) }
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

  private func tell(over service: PushService) async throws {
    var deliveries = service.deliveries.makeAsyncIterator()
    var progress = Progress()
    try await withThrowingDiscardingTaskGroup { group in
      while true {
        let isStopping =
          progress.silence >= Self.mostSilence || Task.isCancelled || Task.isShuttingDownGracefully
        if isStopping { service.withdraw() }
        while !isStopping, !progress.isDone, progress.underWay.count + Self.claimed <= Self.mostClaimed {
          let letters = try await letters()
          progress.begin(letters)
          for start in stride(from: 0, to: letters.count, by: Self.sealed) {
            let lot = letters[start..<min(start + Self.sealed, letters.count)].map(\.push)
            // To note what became of the others goes first.
            group.addTask(priority: .utility) { service.send(lot) }
          }
        }
        guard !progress.underWay.isEmpty, let delivered = await deliveries.next() else { break }
        // At once: the shorter the time between a message's arrival and its note, the fewer are repeated after a kill.
        let settlements = delivered.compactMap { delivery in
          progress.end(delivery, upTo: newest).map { letter in
            let end = end(of: letter, delivery.outcome)
            return Settlement(delivery.number, end, at: letter.push.endpoint.description)
          }
        }
        try await store.settle(settlements, at: now())
      }
    }
    if progress.silence >= Self.mostSilence {
      try await putOff(for: Self.rest, "The push service does not answer.")
    }
    logger.info(
      "Told browsers of new comics.",
      metadata: ["service": "\(self.service)", "messages": "\(progress.sent)"]
    )
  }

  /// How far the round has come.
  private struct Progress {
    var underWay: [StoredSubscription.ID: Letter] = [:]
    /// How many messages were sent.
    var sent = 0
    /// To how many in a row nothing was answered.
    var silence = 0
    /// Whether nothing more is due.
    var isDone = false

    mutating func begin(_ letters: [Letter]) {
      isDone = letters.isEmpty
      for letter in letters { underWay[letter.push.number] = letter }
    }

    /// Takes note of what became of a message; gives that message.
    mutating func end(_ delivery: PushDelivery, upTo newest: Comic.Number) -> Letter? {
      guard let letter = underWay.removeValue(forKey: delivery.number) else { return nil }
      guard let outcome = delivery.outcome else { return letter }
      sent += 1
      if case .unanswered = outcome {
        silence += 1
      } else {
        silence = 0
        // The subscription may have another message coming.
        if letter.announcement.last < newest { isDone = false }
      }
      return letter
    }
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
        switch try letter(to: subscription, &messages) {
        case .letter(let letter): letters.append(letter)
        case .nothing(let end): settlements.append(Settlement(subscription.id, end))
        }
      }
      if !settlements.isEmpty { try await store.settle(settlements, at: now()) }
      let claims = letters.map { (subscription: $0.push.number, comic: $0.announcement.last) }
      let claimed = claims.isEmpty ? [] : try await store.claim(claims)
      letters.removeAll { !claimed.contains($0.push.number) }
      if !letters.isEmpty { return letters }
    }
  }

  /// What somebody is to be sent, or what is to be noted in its place.
  private enum Next {
    case letter(Letter)
    case nothing(Settlement.End)
  }

  private func letter(
    to subscription: StoredSubscription,
    _ messages: inout [Draft: PushMessage]
  ) throws -> Next {
    if let end = subscription.wishes.quietUntil(at: now()) { return .nothing(.later(end, reason: nil)) }
    let announced = subscription.announced ?? newest
    guard let next = Announcement(after: announced, upTo: newest, in: archive) else {
      return .nothing(.announced(newest))
    }
    let draft = Draft(announcement: next, hidesSpoilers: subscription.wishes.hidesSpoilers)
    let message = try messages[draft] ?? next.message(in: archive, hidesSpoilers: draft.hidesSpoilers)
    messages[draft] = message
    do {
      let push = PushLetter(
        number: subscription.id,
        message: message,
        endpoint: try sender.endpoint(subscription.endpoint),
        keys: try SubscriberKeys(publicKey: subscription.publicKey, secret: subscription.secret)
      )
      return .letter(Letter(push: push, announcement: next, attempts: subscription.attempts))
    } catch {
      // No rules of ours have let it in.
      return .nothing(.givenUp(next.last, reason: "\(error)"))
    }
  }

  private func end(of letter: Letter, _ outcome: PushOutcome?) -> Settlement.End {
    let last = letter.announcement.last
    func again(after asked: Duration?, _ reason: String) -> Settlement.End {
      let attempts = letter.attempts + 1
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
    case nil: return .unsent
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
