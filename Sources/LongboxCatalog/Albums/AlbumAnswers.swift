// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxCore
import LongboxStore
import LongboxUpstream

/// The iTunes Store's answers, from memory, the disk or the store; stale ones while the store is down.
final class AlbumAnswers: Sendable {
  struct Read: Sendable {
    var answer: ITunesAnswer
    var fetchedAt: Date
  }

  private let store: Store
  private let client: ITunesClient?
  private let now: @Sendable () -> Date
  private let logger: Logger
  private let memory = MemoryCache<ITunesQuestion, Read>(limit: 8 << 20)
  private let underWay = SingleFlight<ITunesQuestion, Void>()
  private let failures = NegativeCache<ITunesQuestion>()

  init(store: Store, client: ITunesClient?, now: @escaping @Sendable () -> Date, logger: Logger) {
    self.store = store
    self.client = client
    self.now = now
    self.logger = logger
  }

  /// The stored answer while it is fresh, then the source's, then the stale stored one, then "waiting".
  func answer(
    to question: ITunesQuestion,
    within limit: Duration
  ) async throws(CatalogError) -> AlbumAnswer<ITunesAnswer> {
    do {
      let stored = try await stored(question)
      if let stored, now().timeIntervalSince(stored.fetchedAt) < question.lifetime(of: stored.answer) {
        return .here(stored.answer, .init(fetchedAt: stored.fetchedAt, isStale: false))
      }
      guard let client else { throw CatalogError.absent }
      let wait = await client.wait(for: question)
      // Don't wait for an answer that can't come in time, but put the question in the queue.
      let timeout = wait < limit ? limit : .milliseconds(50)
      do {
        let asked: Void? = try await withTimeout(timeout) { [self] in
          try await fetch(question, from: client)
        }
        if asked != nil, let fetched = try await self.stored(question) {
          return .here(fetched.answer, .init(fetchedAt: fetched.fetchedAt, isStale: false))
        }
      } catch {
        guard stored != nil else { throw error }
        logger.noteStoreError(error)
      }
      if let stored { return .here(stored.answer, .init(fetchedAt: stored.fetchedAt, isStale: true)) }
      let rest = await client.wait(for: question)
      return .waiting(seconds: max(2, rest.wholeSeconds))
    } catch {
      logger.noteStoreError(error)
      throw CatalogError(error)
    }
  }

  func stored(_ question: ITunesQuestion) async throws -> Read? {
    if let read = memory[question] { return read }
    guard let stored = try await store.albumAnswer(to: question.key),
      let answer = try? ITunesAnswer(json: stored.body)
    else { return nil }
    let read = Read(answer: answer, fetchedAt: stored.fetchedAt)
    memory.insert(read, for: question, cost: 3 * stored.body.count)
    return read
  }

  /// The new answer, or the stored one if only that has the album or artist.
  ///
  /// The store sometimes answers that it doesn't have an album that it sells.
  private func better(
    of body: [UInt8],
    for question: ITunesQuestion
  ) async throws -> (body: [UInt8], answer: ITunesAnswer) {
    let answer = try ITunesAnswer(json: body)
    guard question.kind != .artists, !answer.isFound(question),
      let stored = try await store.albumAnswer(to: question.key),
      let before = try? ITunesAnswer(json: stored.body), before.isFound(question)
    else { return (body, answer) }
    logger.info(
      "The store no longer finds what is stored, which is kept.",
      metadata: ["question": "\(question.key)"]
    )
    return (stored.body, before)
  }

  private func fetch(_ question: ITunesQuestion, from client: ITunesClient) async throws {
    try await underWay.value(for: question) { [self] in
      try await failures.unlessRecent(question, now: now) {
        let (body, answer) = try await better(of: client.ask(question), for: question)
        let albums = answer.albums(in: question.country).filter { !$0.artworkAddress.isEmpty }
        let stored = StoredAnswer(body: body, fetchedAt: now())
        try await store.save(
          stored,
          kind: question.kind,
          to: question.key,
          artwork: Dictionary(albums.map { ($0.id, $0.artworkAddress.description) }) { $1 }
        )
        memory.insert(
          Read(answer: answer, fetchedAt: stored.fetchedAt),
          for: question,
          cost: 3 * body.count
        )
      }
    }
  }

  func cancelAll() async { await underWay.cancelAll() }
}

extension Logger {
  /// Logs database errors, which readers can't fix.
  func noteStoreError(_ error: any Error) {
    guard case .store(let fault) = CatalogError(error) else { return }
    self.error("Longbox can't read or store what it knows about albums.", metadata: ["error": "\(fault)"])
  }
}

extension ITunesQuestion {
  /// How long an answer counts as fresh, in seconds: a day for searches and empty answers, else 30 days.
  fileprivate func lifetime(of answer: ITunesAnswer) -> TimeInterval {
    let day: TimeInterval = 24 * 3600
    switch subject {
    case .artists: return day
    case .albums, .tracks: return answer.isFound(self) ? 30 * day : day
    }
  }

  fileprivate var kind: StoredAnswer.Kind {
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
