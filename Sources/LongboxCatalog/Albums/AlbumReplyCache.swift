// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxCore
import LongboxStore
import LongboxUpstream

/// The iTunes Store's replies, from memory, the disk or the store; stale ones while the store is down.
final class AlbumReplyCache: Sendable {
  struct Read: Sendable {
    var reply: ITunesReply
    var fetchedAt: Date

    var stale: AlbumLookup<ITunesReply> { .here(reply, .init(fetchedAt: fetchedAt, isStale: true)) }
  }

  private let store: Store
  private let client: ITunesClient?
  private let now: @Sendable () -> Date
  private let logger: Logger
  private let memory = MemoryCache<ITunesQuestion, Read>(limit: 8 << 20)
  let requests = SourceRequests<ITunesQuestion>(to: .itunes)

  init(store: Store, client: ITunesClient?, now: @escaping @Sendable () -> Date, logger: Logger) {
    self.store = store
    self.client = client
    self.now = now
    self.logger = logger
  }

  func storePause() async -> SourcePause? { await client?.currentPause() }

  /// The stored reply while it is fresh, then the source's, then the stale stored one, then why there is none.
  func lookUp(
    _ question: ITunesQuestion,
    within limit: Duration,
    for asker: String?
  ) async throws(CatalogError) -> AlbumLookup<ITunesReply> {
    do {
      let stored = try await stored(question)
      if let stored, abs(now().timeIntervalSince(stored.fetchedAt)) < question.lifetime(of: stored.reply) {
        return .here(stored.reply, .init(fetchedAt: stored.fetchedAt, isStale: false))
      }
      guard let client else { throw CatalogError.absent }
      if let pause = await client.currentPause() { return stored?.stale ?? .refused(pause) }
      let wait = await client.wait(for: question, behind: requests.waitingCount(of: asker))
      // Don't wait for a reply that can't come in time, but put the question in the queue.
      let timeout = wait < limit ? limit : .milliseconds(50)
      do {
        let asked: Void? = try await withTimeout(timeout) { [self] in
          try await requests.fetch(question, for: asker, now: now) { [self] in
            try await fetch(question, from: client)
          }
        }
        if asked != nil, let fetched = try await self.stored(question) {
          return .here(fetched.reply, .init(fetchedAt: fetched.fetchedAt, isStale: false))
        }
      } catch {
        guard stored != nil else {
          if let pause = await client.currentPause() { return .refused(pause) }
          throw error
        }
        logger.noteStoreError(error)
      }
      if let stored { return stored.stale }
      if let pause = await client.currentPause() { return .refused(pause) }
      let rest = await client.wait(for: question, behind: max(0, requests.waitingCount(of: asker) - 1))
      return .waiting(seconds: max(2, rest.wholeSeconds))
    } catch {
      logger.noteStoreError(error)
      throw CatalogError(error)
    }
  }

  func stored(_ question: ITunesQuestion) async throws -> Read? {
    if let read = memory[question] { return read }
    guard let stored = try await store.albums.reply(to: question.key),
      let reply = try? ITunesReply(json: stored.body)
    else { return nil }
    let read = Read(reply: reply, fetchedAt: stored.fetchedAt)
    memory.insert(read, for: question, cost: 3 * stored.body.count)
    return read
  }

  /// The new reply, or the stored one if only that has the album or artist.
  ///
  /// The store sometimes answers that it doesn't have an album that it sells.
  private func better(
    of body: [UInt8],
    for question: ITunesQuestion
  ) async throws -> (body: [UInt8], reply: ITunesReply) {
    let reply = try ITunesReply(json: body)
    guard question.kind != .artists, !reply.isFound(question),
      let stored = try await store.albums.reply(to: question.key),
      let before = try? ITunesReply(json: stored.body), before.isFound(question)
    else { return (body, reply) }
    logger.info(
      "The iTunes Store no longer finds this; Longbox keeps the stored reply.",
      metadata: ["question": "\(question.key)"]
    )
    return (stored.body, before)
  }

  private func fetch(_ question: ITunesQuestion, from client: ITunesClient) async throws {
    let (body, reply) = try await better(of: client.ask(question), for: question)
    let albums = reply.albums(in: question.country).filter { !$0.artworkAddress.isEmpty }
    let stored = StoredReply(body: body, fetchedAt: now())
    try await store.albums.save(
      stored,
      kind: question.kind,
      to: question.key,
      artwork: Dictionary(albums.map { ($0.id, $0.artworkAddress.description) }) { $1 }
    )
    memory.insert(
      Read(reply: reply, fetchedAt: stored.fetchedAt),
      for: question,
      cost: 3 * body.count
    )
  }

  func cancelAll() async { await requests.cancelAll() }
}

extension Logger {
  /// Logs database errors, which readers can't fix.
  func noteStoreError(_ error: any Error) {
    guard case .store(let fault) = CatalogError(error) else { return }
    self.error("Longbox can't read or store what it knows about albums.", metadata: ["error": "\(fault)"])
  }
}

extension ITunesQuestion {
  /// How long a reply counts as fresh, in seconds: a day for searches and empty replies, else 30 days.
  fileprivate func lifetime(of reply: ITunesReply) -> TimeInterval {
    let day: TimeInterval = 24 * 3600
    switch subject {
    case .artists: return day
    case .albums, .tracks: return reply.isFound(self) ? 30 * day : day
    }
  }

  fileprivate var kind: StoredReply.Kind {
    switch subject {
    case .artists: .artists
    case .albums: .albums
    case .tracks: .tracks
    }
  }
}

extension Duration {
  fileprivate var wholeSeconds: Int {
    Int(components.seconds) + (components.attoseconds > 0 ? 1 : 0)
  }
}
