// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// What a host has loaded for an answer: a value for each ``Need``.
public struct Loaded: Sendable {
  /// What came of loading something.
  public indirect enum Value: Equatable, Sendable {
    /// The archive has it now.
    case archived
    /// The beginning of an explanation, as the server made it; empty where nothing is at hand.
    case lead(HTML)
    /// A whole explanation, as the server made it.
    case explanation(HTML)
    /// The plain text of an explanation.
    case text(Text)
    /// What a search found.
    case results(SearchResults)
    /// The middle of a page about albums.
    case album(AlbumPage)
    /// The source has no such thing.
    case absent
    /// It can't be had now.
    case unavailable
  }

  private var values: [(need: Need, value: Value)] = []
  /// The beginnings of explanations by their comics, in order: a page of favorites has thousands.
  private var leads: [(comic: Comic.Number, lead: HTML)] = []

  /// Nothing so far.
  public init() {}

  /// Keeps what was loaded.
  public mutating func insert(_ value: Value, for need: Need) {
    guard case .explanationLead(let comic) = need else {
      values.append((need, value))
      return
    }
    let lead: HTML = if case .lead(let html) = value { html } else { HTML() }
    leads.insert((comic, lead), at: place(of: comic))
  }

  /// What was loaded for a need; nil where nothing was tried.
  ///
  /// For a search it is what the page's one search found.
  public subscript(need: Need) -> Value? {
    if case .explanationLead(let comic) = need { return lead(of: comic).map { .lead($0) } }
    return values.first { $0.need == need }?.value
  }

  /// The beginning of a comic's explanation; nil where it was not looked for.
  func lead(of comic: Comic.Number) -> HTML? {
    let place = place(of: comic)
    return place < leads.count && leads[place].comic == comic ? leads[place].lead : nil
  }

  /// Where the first lead is whose comic is not before this one.
  private func place(of comic: Comic.Number) -> Int {
    var (low, high) = (0, leads.count)
    while low < high {
      let middle = (low + high) / 2
      if leads[middle].comic < comic { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
