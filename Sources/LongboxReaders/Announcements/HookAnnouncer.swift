// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import Logging
public import LongboxCatalog
public import LongboxCore
public import LongboxPush
public import LongboxStore
public import ServiceLifecycle
import Synchronization

/// Announces new comics to the operator's hooks until shutdown.
///
/// The store knows what was announced to each hook, so a restart continues there. A delivery is claimed before it is sent, and ends
/// when the service acknowledges or refuses it, or after a day of tries. It repeats only if the process is killed
/// between an acknowledgement and its note in the store, and then after the claim's lease.
public final class HookAnnouncer: Service, Sendable {
  private let comics: NewComics
  private let store: Store
  private let sender: HookSender
  private let message: @Sendable (ArchivedComic) throws -> HookMessage
  private let logger: Logger
  private let now: @Sendable () -> Date
  /// Results that could not be stored; they are stored before anything else is sent.
  private let unstored = Mutex<[(claim: HookDelivery, result: HookDelivery)]>([])

  /// Tries of a delivery end so long after the first, in seconds.
  private static let longest: TimeInterval = 86_400

  /// Makes an announcer.
  /// - Parameters:
  ///   - catalog: the comics.
  ///   - store: knows what was announced.
  ///   - sender: sends to the hooks.
  ///   - message: makes the message about a comic.
  ///   - sourceLimit: the timeout for one request to the source.
  ///   - logger: logs what could not be sent.
  ///   - now: the time.
  public init(
    catalog: Catalog,
    store: Store,
    sender: HookSender,
    message: @escaping @Sendable (ArchivedComic) throws -> HookMessage,
    sourceLimit: Duration = .seconds(8),
    logger: Logger,
    now: @escaping @Sendable () -> Date
  ) {
    var comics = NewComics(catalog: catalog, now: now)
    comics.sourceLimit = sourceLimit
    self.comics = comics
    self.store = store
    self.sender = sender
    self.message = message
    self.logger = logger
    self.now = now
  }

  public func run() async throws {
    await comics.watch(logging: "Hooks could not be notified of new comics.", to: logger, announce)
  }

  /// Sends all that is due.
  /// - Returns: when the next delivery is due, unless a new comic appears.
  func announce(upTo newest: Comic.Number, since: Date) async throws -> Date? {
    try await storeResults()
    let hooks = sender.hooks.map(\.id)
    let known = try await store.hooks.last(of: hooks)
    var horizon: Comic.Number? = newest
    if let least = known.values.min(), least < newest {
      horizon = await comics.horizon(from: least.value, to: newest, since: since)
    }
    if let horizon {
      try await store.hooks
        .schedule(for: hooks, upTo: horizon, atMost: Announcement.maxSeparate, at: now())
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for hook in sender.hooks { group.addTask { try await self.send(to: hook) } }
      try await group.waitForAll()
    }
    return horizon == newest ? try await store.hooks.nextTry(of: hooks, at: now()) : comics.nextCheck
  }

  /// Sends what is due at one hook, one comic after the other.
  private func send(to hook: Hook) async throws {
    for due in try await store.hooks.due(hook.id, at: now()) {
      guard !Task.isCancelled, !Task.isShuttingDownGracefully else { return }
      guard let comic = await comics.comic(due.comic) else {
        // A node that has just become the leader may not have read yet what the one before it scheduled.
        let isAwaited = comics.isAwaited(since: due.since)
        try await end(
          due,
          as: isAwaited ? .due : .failed,
          "The comic is not stored.",
          next: isAwaited ? comics.nextCheck : nil
        )
        continue
      }
      guard let claim = try await claim(due) else { continue }
      switch await sender.send(try message(comic), to: hook, id: hook.deliveryID(of: due.comic.value)) {
      case .delivered:
        try await end(claim, as: .delivered, nil)
        logger.info(
          "A hook took a comic.",
          metadata: ["hook": "\(hook.name)", "comic": "\(due.comic.value)"]
        )
      case .rejected(let reason):
        try await end(claim, as: .failed, reason)
        logger.warning(
          "A hook refused a comic.",
          metadata: ["hook": "\(hook.name)", "comic": "\(due.comic.value)", "reason": "\(reason)"]
        )
      case .later(let asked, let reason):
        let pause = RetryPause.seconds(
          attempts: claim.attempts,
          requested: asked,
          jitter: .random(in: 0..<1)
        )
        let next = now() + pause
        if next < claim.since + Self.longest {
          try await end(claim, as: .due, reason, next: next)
        } else {
          try await end(claim, as: .failed, "\(reason) It was tried \(claim.attempts) times in a day.")
          logger.warning(
            "A comic for a hook was given up.",
            metadata: ["hook": "\(hook.name)", "comic": "\(due.comic.value)", "reason": "\(reason)"]
          )
        }
      }
    }
  }

  /// Claims a delivery, so that no other node sends it.
  /// - Returns: nil if another node was faster, or may soon be.
  private func claim(_ due: HookDelivery) async throws -> HookDelivery? {
    var claim = due
    claim.attempts += 1
    claim.nextTry = now() + TimeInterval(HookStore.claimLease.components.seconds)
    claim.changedAt = now()
    // The day of tries must not last longer because the clock was ahead when it began.
    claim.since = min(claim.since, now())
    let start = ContinuousClock.now
    guard try await store.hooks.update(due, to: claim) else { return nil }
    // If this process was paused, another node may soon send the message.
    return ContinuousClock.now - start < HookStore.claimLease / 2 ? claim : nil
  }

  /// Stores the result of a try.
  private func end(
    _ claim: HookDelivery,
    as state: HookDelivery.State,
    _ failure: String?,
    next: Date? = nil
  ) async throws {
    var result = claim
    (result.state, result.failure, result.nextTry, result.changedAt) = (state, failure, next, now())
    unstored.withLock { [result] in $0.append((claim, result)) }
    try await storeResults()
  }

  private func storeResults() async throws {
    for (claim, result) in unstored.withLock({ $0 }) {
      try await store.hooks.update(claim, to: result)
      unstored.withLock { $0.removeAll { $0.result == result } }
    }
  }
}
