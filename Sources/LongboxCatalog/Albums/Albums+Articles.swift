// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
public import LongboxCore
import LongboxStore
import LongboxUpstream

/// What is known of the article about an album.
public enum ArticleState: Equatable, Sendable {
  /// Wikipedia is not asked, because the operator has set no contact address.
  case off
  /// This page fits; the others are for a reader who rejects it.
  case sure(ArticleCandidate, others: [ArticleCandidate])
  /// Several pages may fit; a reader can pick one.
  case unsure([ArticleCandidate])
  /// Wikipedia has no article about it.
  case none
  /// Wikipedia has not answered yet.
  case unavailable
}

/// An article that is asked for: about one album, in one language.
struct ArticleKey: Hashable, Sendable {
  let album: StoreID
  let language: String
}

/// Wikipedia's articles about albums, from the disk or Wikipedia.
extension Albums {
  /// How long a reply of Wikipedia counts as fresh, in seconds.
  private static let articleLifetime: TimeInterval = 30 * 24 * 3600

  /// The codes of the languages of articles, the operator's first; none if Wikipedia is off.
  public var articleLanguages: [String] { wikipedia?.languages ?? [] }

  /// The code of the language in which a reader gets articles, or nil if Wikipedia is off.
  /// - Parameter choice: the reader's choice, which counts if it is one of ``articleLanguages``.
  public func articleLanguage(chosen choice: Text?) -> String? {
    articleLanguages.first { Text(string: $0) == choice } ?? articleLanguages.first
  }

  /// The article about an album: a fresh stored reply, else a new one from Wikipedia, else a stale one.
  /// - Parameters:
  ///   - album: the album.
  ///   - language: the code of the article's language; nil if Wikipedia is off.
  ///   - limit: how long to wait.
  ///   - asker: the address of the client that asks, whose questions take turns; nil for no turns.
  public func article(
    about album: Album,
    in language: String?,
    within limit: Duration,
    for asker: String? = nil
  ) async -> ArticleState {
    guard let client = wikipedia, let language else { return .off }
    let key = ArticleKey(album: album.id, language: language)
    let stored = await storedArticle(key)
    if let stored, abs(now().timeIntervalSince(stored.fetchedAt)) < Self.articleLifetime {
      return Self.state(stored, album)
    }
    do {
      let asked: Void? = try await withTimeout(limit) { [self] in
        try await articleRequests.fetch(key, for: asker, now: now) { [self] in
          try await fetchArticle(about: album, key, client)
        }
      }
      if asked != nil, let fetched = await storedArticle(key) {
        return Self.state(fetched, album)
      }
    } catch {
      logger.noteStoreError(error)
    }
    return stored.map { Self.state($0, album) } ?? .unavailable
  }

  /// Asks Wikipedia again when the album is next shown.
  /// - Parameters:
  ///   - album: the album's number.
  ///   - language: the code of the article's language; nil if Wikipedia is off.
  /// - Throws: `CatalogError.store`; `absent` if Wikipedia is off.
  public func lookAgain(for album: StoreID, in language: String?) async throws(CatalogError) {
    guard let language else { throw .absent }
    do {
      try await store.albums.expireArticle(of: album, language: language)
    } catch {
      throw CatalogError(error)
    }
  }

  private func storedArticle(_ key: ArticleKey) async -> StoredReply? {
    do {
      return try await store.albums.article(of: key.album, language: key.language)
    } catch {
      logger.noteStoreError(error)
      return nil
    }
  }

  private func fetchArticle(about album: Album, _ key: ArticleKey, _ client: WikipediaClient) async throws {
    let body: [UInt8]
    do throws(UpstreamError) {
      body = try await client.ask(about: album, in: key.language)
    } catch {
      articleRequests.breaker.note(error, for: key, at: now())
      throw error
    }
    articleRequests.breaker.end()
    let reply = StoredReply(body: body, fetchedAt: now())
    try await store.albums.saveArticle(reply, of: key.album, language: key.language)
  }

  private static func state(_ stored: StoredReply, _ album: Album) -> ArticleState {
    guard let reply = try? WikipediaReply(json: stored.body) else { return .unavailable }
    return switch ArticleChoice(for: album, among: reply.pages) {
    case .sure(let page): .sure(page, others: others(than: page, among: reply.pages, album))
    case .unsure(let pages): .unsure(pages)
    case .none: .none
    }
  }

  private static func others(
    than best: ArticleCandidate,
    among pages: [ArticleCandidate],
    _ album: Album
  ) -> [ArticleCandidate] {
    switch ArticleChoice(for: album, among: pages.filter { $0.id != best.id }) {
    case .sure(let page): [page]
    case .unsure(let pages): pages
    case .none: []
    }
  }
}
