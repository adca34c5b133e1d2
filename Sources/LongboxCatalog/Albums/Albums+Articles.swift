// Longbox
// SPDX-License-Identifier: MIT

import Foundation
public import LongboxCore
import LongboxStore
import LongboxUpstream

extension Albums {
  /// How long an answer of Wikipedia counts as fresh, in seconds.
  private static var articleLifetime: TimeInterval { 30 * 24 * 3600 }

  /// The language code of the Wikipedia in use, or nil if Wikipedia is off.
  public var articleLanguage: String? { wikipedia?.language }

  /// The article about an album: a fresh stored answer, else a new one from Wikipedia, else a stale one.
  /// - Parameters:
  ///   - album: the album.
  ///   - limit: how long to wait.
  public func article(about album: Album, within limit: Duration) async -> ArticleState {
    guard let wikipedia else { return .off }
    let stored = await storedArticle(of: album.id, wikipedia)
    if let stored, now().timeIntervalSince(stored.answer.fetchedAt) < Self.articleLifetime {
      return Self.state(stored, album)
    }
    do {
      let isThere = try await withTimeout(limit) { [self] in
        try await articles.outage.unlessDown(now: now()) { [self] in
          try await fetchArticle(about: album, wikipedia)
        }
      }
      if isThere, let fetched = await storedArticle(of: album.id, wikipedia) {
        return Self.state(fetched, album)
      }
    } catch {
      note(error)
    }
    return stored.map { Self.state($0, album) } ?? .unavailable
  }

  /// Saves a reader's choice of the article about an album.
  /// - Parameters:
  ///   - page: the page's number; 0 for "none of them"; nil to choose automatically again.
  ///   - album: the album.
  /// - Throws: `CatalogError.store`; `absent` if no answer is stored, or it has no such page.
  public func pickArticle(_ page: Int?, for album: StoreID) async throws(CatalogError) {
    guard let wikipedia else { throw .absent }
    do {
      guard let stored = try await store.article(of: album, language: wikipedia.language),
        let answer = try? WikipediaAnswer(json: stored.answer.body),
        page == nil || page == 0 || answer.pages.contains(where: { $0.id == page })
      else { throw CatalogError.absent }
      try await store.pickArticle(page, of: album, language: wikipedia.language)
    } catch {
      throw CatalogError(error)
    }
  }

  /// Drops a reader's choice of article, and asks Wikipedia again when the album is next shown.
  /// - Throws: `CatalogError.store`; `absent` if no answer is stored.
  public func lookAgain(for album: StoreID) async throws(CatalogError) {
    try await pickArticle(nil, for: album)
    guard let wikipedia else { return }
    do {
      try await store.expireArticle(of: album, language: wikipedia.language)
    } catch {
      throw CatalogError(error)
    }
  }

  private func storedArticle(of album: StoreID, _ wikipedia: WikipediaClient) async -> StoredArticle? {
    do {
      return try await store.article(of: album, language: wikipedia.language)
    } catch {
      note(error)
      return nil
    }
  }

  private func fetchArticle(about album: Album, _ wikipedia: WikipediaClient) async throws {
    try await articles.work.value(for: album.id) { [self] in
      try await articles.failures.unlessRecent(album.id, now: now) {
        let body: [UInt8]
        do throws(UpstreamError) {
          body = try await wikipedia.ask(about: album)
        } catch {
          articles.outage.note(error, for: album.id, at: now())
          throw error
        }
        articles.outage.end()
        let answer = StoredAnswer(body: body, fetchedAt: now())
        try await store.saveArticle(answer, of: album.id, language: wikipedia.language)
      }
    }
  }

  private static func state(_ stored: StoredArticle, _ album: Album) -> ArticleState {
    guard let answer = try? WikipediaAnswer(json: stored.answer.body) else { return .unavailable }
    if stored.pick == 0 { return .dismissed(others(among: answer.pages, album)) }
    if let pick = stored.pick, let page = answer.pages.first(where: { $0.id == pick }) {
      return .here(page, isPicked: true)
    }
    return switch ArticleChoice(for: album, among: answer.pages) {
    case .sure(let page): .here(page, isPicked: false)
    case .unsure(let pages): .unsure(pages)
    case .none: .none
    }
  }

  private static func others(among pages: [ArticleCandidate], _ album: Album) -> [ArticleCandidate] {
    guard case .sure(let best) = ArticleChoice(for: album, among: pages) else { return [] }
    return switch ArticleChoice(for: album, among: pages.filter { $0.id != best.id }) {
    case .sure(let page): [page]
    case .unsure(let pages): pages
    case .none: []
    }
  }
}
