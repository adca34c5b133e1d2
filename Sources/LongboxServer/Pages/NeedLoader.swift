// Longbox
// SPDX-License-Identifier: MIT

import LongboxCatalog
import LongboxCore
import LongboxPages
import LongboxReaders

/// Loads what pages need from the server's repositories.
struct NeedLoader: Sendable {
  let catalog: Catalog
  let albums: AlbumLoader
  let heavyWork: HeavyWork
  /// Maximum wait for a source before the page says what is missing.
  let timeout: Duration
  /// Maximum wait for a picture's size; the page then reserves a typical place for it.
  let pictureWait: Duration
  /// Measures the wait for a picture.
  let clock: any Clock<Duration>

  /// Loads one need.
  /// - Parameters:
  ///   - need: the need.
  ///   - client: the client that asks.
  ///   - language: the language of articles that the reader chose, if any.
  /// - Returns: the value, and the catalog's generation that it belongs to; `.max` if it belongs to the
  ///   archive itself, whose generation the page gets anyway; nil if pages with it can't be cached for other
  ///   readers.
  /// - Throws: `HTTPError` if too much heavy work of the client waits.
  func load(
    _ need: Need,
    for client: ClientAddress,
    articlesIn language: Text? = nil
  ) async throws -> (Loaded.Value, generation: Int?) {
    // Read first, so that a page with older data is never cached under a newer generation.
    let generation = catalog.generation
    let asker = client.description
    switch need {
    case .latest: return (.unavailable, nil)
    case .comic(let number):
      do throws(CatalogError) {
        try await catalog.ensure(number, within: timeout, for: asker)
        return (.archived, .max)
      } catch {
        return (.unavailable, nil)
      }
    case .picture(let number):
      let isThere = try? await catalog.awaitPicture(of: number, within: pictureWait, clock: clock, for: asker)
      return isThere == true ? (.archived, .max) : (.unavailable, nil)
    case .explanationText(let number):
      guard case .stored(let explanation)? = try? await catalog.explanation(of: number) else {
        return (.unavailable, nil)
      }
      return (.text(explanation.document.plainText), generation)
    case .search(let question):
      let snapshot = catalog.snapshot
      let results = try await heavyWork.results(for: question, in: snapshot, of: catalog, for: client)
      return (.results(results), snapshot.generation)
    case .explanationLead(let number):
      // A comic's page never waits for the wiki. After a disk error the page is not cached.
      guard let state = try? await catalog.explanation(of: number) else {
        return (.lead(shown(number, .unknown).beginning), nil)
      }
      return (.lead(shown(number, state).beginning), generation)
    case .explanation(let number):
      switch (try? await catalog.explanation(of: number, within: timeout, for: asker)) ?? .unknown {
      case .stored(let explanation):
        return (.explanation(shown(number, .stored(explanation)).whole), generation)
      case .absent: return (.absent, generation)
      case .unknown: return (.unavailable, nil)
      }
    case .artists(let name, let country, let recent):
      return (.album(await albums.artists(name, country, recent: recent, for: asker)), nil)
    case .discography(let artist, let country, let selection):
      return (.album(await albums.discography(of: artist, country, selection, for: asker)), nil)
    case .album(let album, let country):
      return (.album(await albums.page(of: album, country, language: language, for: asker)), nil)
    case .quizAlbum(let album, let country):
      return (.album(await albums.page(of: album, country, withArticle: false, for: asker)), nil)
    case .storedAlbum(let album, let country):
      return (await albums.storedPage(of: album, country).map { .album($0) } ?? .absent, nil)
    // A server doesn't know what a device has.
    case .storedComics, .server: return (.unavailable, nil)
    }
  }

  private func shown(_ number: Comic.Number, _ state: ExplanationState) -> ShownExplanation {
    ShownExplanation(of: number, .init(state), isSample: catalog.snapshot.archive.isSampleBox)
  }
}

extension ShownExplanation.State {
  init(_ state: ExplanationState) {
    switch state {
    case .stored(let explanation): self = .here(ShownExplanation.Content(explanation))
    case .absent: self = .absent
    case .unknown: self = .unavailable
    }
  }
}

extension ShownExplanation.Content {
  init(_ explanation: Explanation) {
    self.init(
      lead: explanation.linkedLead,
      document: explanation.document,
      date: explanation.date,
      isIncomplete: explanation.isIncomplete,
      isCut: explanation.isCut
    )
  }
}
