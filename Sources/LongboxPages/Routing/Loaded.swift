// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// The values a host has loaded for a page, one for each ``Need``.
public struct Loaded: Sendable {
  /// The result of loading a need.
  public indirect enum Value: Equatable, Sendable {
    /// The archive contains it now.
    case archived
    /// The lead of an explanation, rendered by the server; empty if none is available.
    case lead(HTML)
    /// A full explanation, rendered by the server.
    case explanation(HTML)
    /// The plain text of an explanation.
    case text(Text)
    /// The results of a search.
    case results(SearchResults)
    /// The main part of a page about albums.
    case album(AlbumPage)
    /// A set of comics.
    case comics(ComicSet)
    /// The source has no such thing.
    case absent
    /// It isn't available now.
    case unavailable
  }

  private var values: [(need: Need, value: Value)] = []

  /// Makes an empty set of values.
  public init() {}

  /// Stores a loaded value.
  public mutating func insert(_ value: Value, for need: Need) {
    values.append((need, value))
  }

  /// The loaded value of a need; nil if loading was not tried.
  public subscript(need: Need) -> Value? { values.first { $0.need == need }?.value }

  /// The comics whose picture is stored on this device; nil if that was not asked.
  var storedComics: ComicSet? {
    if case .comics(let comics)? = self[.storedComics] { comics } else { nil }
  }

  /// The lead of a comic's explanation, empty if there is none; nil if loading was not tried.
  func lead(of comic: Comic.Number) -> HTML? {
    guard let value = self[.explanationLead(comic)] else { return nil }
    guard case .lead(let html) = value else { return HTML() }
    return html
  }
}
