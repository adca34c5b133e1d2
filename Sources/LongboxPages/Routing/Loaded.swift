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
  /// The leads of explanations, ordered by comic: a favorites page can have thousands.
  private var leads: [(comic: Comic.Number, lead: HTML)] = []

  /// Makes an empty set of values.
  public init() {}

  /// Stores a loaded value.
  public mutating func insert(_ value: Value, for need: Need) {
    guard case .explanationLead(let comic) = need else {
      values.append((need, value))
      return
    }
    let lead: HTML = if case .lead(let html) = value { html } else { HTML() }
    leads.insert((comic, lead), at: place(of: comic))
  }

  /// The loaded value of a need; nil if loading was not tried.
  ///
  /// A page has at most one search.
  public subscript(need: Need) -> Value? {
    if case .explanationLead(let comic) = need { return lead(of: comic).map { .lead($0) } }
    return values.first { $0.need == need }?.value
  }

  /// The comics whose picture is stored on this device; nil if that was not asked.
  var storedComics: ComicSet? {
    if case .comics(let comics)? = self[.storedComics] { comics } else { nil }
  }

  /// The lead of a comic's explanation; nil if it was not loaded.
  func lead(of comic: Comic.Number) -> HTML? {
    let place = place(of: comic)
    return place < leads.count && leads[place].comic == comic ? leads[place].lead : nil
  }

  /// The index of the first lead at or after a comic.
  private func place(of comic: Comic.Number) -> Int {
    leads.indices.partitioningIndex { leads[$0].comic >= comic }
  }
}
