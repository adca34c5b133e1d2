// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import LongboxCore

/// A message about a comic for one of the operator's hooks.
public struct HookDelivery: Equatable, Sendable {
  /// How far it is.
  public enum State: String, Sendable {
    /// It waits for its next try.
    case due
    /// The service has acknowledged it; it is never sent again.
    case delivered
    /// The service refused it, or a day of tries has passed.
    case failed
    /// The hook was added after this comic, which is not announced to it.
    case skipped
  }

  /// The SHA-256 of the hook's address, which is a secret and not stored.
  public let hook: [UInt8]
  /// The comic.
  public let comic: Comic.Number
  /// How far it is.
  public var state: State
  /// How many times it was tried.
  public var attempts: Int
  /// When it became due.
  public let since: Date
  /// Nothing is sent before this; nil if nothing is sent any more.
  public var nextTry: Date?
  /// Why the last try failed, if it did.
  public var failure: String?
  /// When it last changed.
  public var changedAt: Date

  init(_ hook: [UInt8], _ comic: Comic.Number, _ state: State, at date: Date) {
    self.hook = hook
    self.comic = comic
    self.state = state
    attempts = 0
    since = date
    nextTry = state == .due ? date : nil
    changedAt = date
  }
}

/// Which comics were announced to which of the operator's hooks.
///
/// Hooks are known by the SHA-256 of their addresses.
public struct HookStore: Sendable {
  let store: Store

  /// How long a node may try a delivery that it has claimed, before another node may claim it.
  public static let claimLease = Duration.seconds(120)
  /// The number of deliveries that are kept for each hook.
  static let kept = 100

  /// The last comic that was announced to each hook, is due, or was skipped; hooks that are new are left out.
  public func last(of hooks: [[UInt8]]) async throws(StoreError) -> [[UInt8]: Comic.Number] {
    try await store.read { tables in
      try hooks.reduce(into: [:]) { $0[$1] = try tables.hooks.latest($1)?.comic }
    }
  }

  /// Makes comics due for hooks, each after the last one that it has; a new hook starts after the newest comic.
  /// - Parameters:
  ///   - hooks: the hooks.
  ///   - newest: the newest comic to announce.
  ///   - count: at most so many for a hook, the newest ones.
  ///   - date: now.
  public func schedule(for hooks: [[UInt8]], upTo newest: Comic.Number, atMost count: Int, at date: Date)
    async throws(StoreError)
  {
    try await store.write { tables in
      let table = tables.hooks
      for hook in hooks {
        guard let last = try table.latest(hook)?.comic else {
          try table.insert(HookDelivery(hook, newest, .skipped, at: date))
          continue
        }
        guard last < newest else { continue }
        for number in max(last.value + 1, newest.value - count + 1)...newest.value {
          guard let comic = Comic.Number(number) else { continue }
          try table.insert(HookDelivery(hook, comic, .due, at: date))
        }
        try table.remove(hook, before: newest.value - Self.kept)
      }
    }
  }

  /// What may be sent to a hook now, oldest comic first.
  public func due(_ hook: [UInt8], at date: Date) async throws(StoreError) -> [HookDelivery] {
    try await store.read { tables in try tables.hooks.due(hook, at: date) }
  }

  /// When the next delivery to any of these hooks becomes due; nil if none waits.
  public func nextTry(of hooks: [[UInt8]], at date: Date) async throws(StoreError) -> Date? {
    try await store.read { tables in try hooks.compactMap { try tables.hooks.nextTry($0, at: date) }.min() }
  }

  /// Each hook's delivery of its latest comic; nil for a hook that has none.
  public func latest(of hooks: [[UInt8]]) async throws(StoreError) -> [HookDelivery?] {
    try await store.read { tables in try hooks.map { try tables.hooks.latest($0) } }
  }

  /// Stores a delivery's new state, unless it has ended already.
  ///
  /// To claim a delivery before it is sent, store it with a further attempt and a `nextTry` after the lease.
  /// - Returns: whether it was stored; false for a claim if another node was faster.
  @discardableResult
  public func update(_ old: HookDelivery, to new: HookDelivery) async throws(StoreError) -> Bool {
    try await store.write { tables in try tables.hooks.update(old, to: new) }
  }
}

/// The deliveries to hooks.
protocol HookTable {
  /// The delivery of the latest comic.
  func latest(_ hook: [UInt8]) throws -> HookDelivery?
  func due(_ hook: [UInt8], at date: Date) throws -> [HookDelivery]
  func nextTry(_ hook: [UInt8], at date: Date) throws -> Date?

  /// Adds a delivery, unless there is one of the same comic.
  func insert(_ delivery: HookDelivery) throws

  /// Removes what has ended of comics before a number.
  func remove(_ hook: [UInt8], before comic: Int) throws

  /// Changes a delivery that is due; one that stays due must have as many attempts as before.
  func update(_ old: HookDelivery, to new: HookDelivery) throws -> Bool
}

enum HookLimits {
  /// A failure's reason as it is stored: a service can make it long.
  static func stored(_ reason: String?) -> String? { reason.map { String($0.prefix(300)) } }
}
