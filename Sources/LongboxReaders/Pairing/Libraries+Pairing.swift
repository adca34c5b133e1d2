// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore
public import LongboxStore

extension Libraries {
  /// Above this number of entries, merging a library into another takes long.
  private static let largePairing = 2_000

  /// Whether two names stand for one library.
  public func areOne(_ name: LibraryName, _ other: LibraryName) async throws -> Bool {
    try await home(of: name) == home(of: other)
  }

  /// Merges a library into another; afterwards both names stand for the other one.
  /// - Returns: the merged library.
  /// - Throws: `LibraryError.full` if the result exceeds the limits; `TooManyNew`; `StoreError`. Both are
  ///   unchanged then.
  public func pair(
    _ name: LibraryName,
    with other: LibraryName,
    for client: ClientAddress = .unknown,
    isSignedIn: Bool = false
  ) async throws -> Library {
    try await inTime {
      try await merge(name, with: other, for: client, isSignedIn: isSignedIn)
    }
  }

  /// Finds both libraries, and merges them in their queues; again if one was paired or changed since then.
  private func merge(
    _ name: LibraryName,
    with other: LibraryName,
    for client: ClientAddress,
    isSignedIn: Bool
  ) async throws -> Library {
    while true {
      let (leaving, home) = (try await self.home(of: name), try await self.home(of: other))
      guard leaving != home else { return try await making(home, for: client, isSignedIn: isSignedIn) }
      // Locks in the order of names, so that two pairings of the same libraries can't deadlock.
      let paired = try await steps.queues.run(min(leaving, home)) {
        try await steps.queues.run(max(leaving, home)) {
          try await merge(leaving, into: home, for: client, isSignedIn: isSignedIn)
        }
      }
      if let paired { return paired }
    }
  }

  /// Merges two libraries; the caller is in both queues.
  /// - Returns: the merged library; nil if either name stands for another library by now, or if one was changed since
  ///   it was read.
  private func merge(
    _ leaving: LibraryName,
    into home: LibraryName,
    for client: ClientAddress,
    isSignedIn: Bool
  ) async throws -> Library? {
    guard case .library(let left, _) = try await steps.read(leaving, asksStore: true),
      case .library(let stored, _) = try await steps.read(home, asksStore: true)
    else { return nil }
    let replica = stored ?? LibrarySteps.newReplica
    let before = replica.library.sequence
    let merged = try await merged(left, into: replica)
    // Before the libraries are paired, because a cached name counts as unpaired.
    cache.remove(leaving)
    do {
      // Anybody can invent a name, and each new name takes a row: a library or an alias.
      try await counting(left == nil || stored == nil, growth: 0, by: client) { quota in
        try await store.libraries.pair(
          leaving,
          holding: left,
          with: home,
          merged: merged,
          changedSince: before,
          within: quota,
          isSignedIn: isSignedIn,
          at: now()
        )
      }
    } catch StoreError.conflict {
      cache.remove(home)
      return nil
    } catch {
      cache.remove(home)
      throw error
    }
    cache.insert(merged, as: home)
    return merged.library
  }

  /// Merges one library into another; large ones on a thread that no other request needs.
  private func merged(_ left: Replica?, into home: Replica) async throws -> Replica {
    guard let left else { return home }
    @Sendable func merge() -> Result<Replica, LibraryError> {
      Result { () throws(LibraryError) in
        var merged = home
        try merged.library.merge(left.library.changes(since: nil))
        return merged
      }
    }
    guard left.library.entries.count > Self.largePairing else { return try merge().get() }
    return try await mergeThread.run(merge).get()
  }

  /// The library that a name stands for.
  ///
  /// A cached name stands for itself, unless other nodes may have paired it.
  private func home(of name: LibraryName) async throws -> LibraryName {
    cache[name] == nil || store.isShared ? try await store.libraries.home(of: name) : name
  }
}
