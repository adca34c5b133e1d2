// Longbox
// SPDX-License-Identifier: MIT

/// The result of choosing the page about an album among candidates.
public enum ArticleChoice: Equatable, Sendable {
  /// The page is about the album.
  case sure(ArticleCandidate)
  /// Up to three plausible pages, best first; the reader chooses.
  case unsure([ArticleCandidate])
  /// No page fits.
  case none

  /// The maximum number of pages offered to the reader.
  private static let most = 3
  /// The minimum score for a sure choice.
  private static let sureScore = 9
  /// The minimum lead over the next candidate for a sure choice.
  private static let sureDistance = 3
  /// The minimum score for offering a page to the reader.
  private static let likelyScore = 5

  /// Chooses among candidates.
  public init(for album: Album, among candidates: [ArticleCandidate]) {
    let scores = candidates.map { ArticleScore(of: $0, for: album) }
    let places = sortedIndices(candidates.count) { scores[$0].value > scores[$1].value }
    let likely = places.filter { scores[$0].value >= Self.likelyScore }
    guard let best = likely.first else {
      self = .none
      return
    }
    let next = likely.count > 1 ? scores[likely[1]].value : 0
    let isSure =
      scores[best].isEvident && scores[best].value >= Self.sureScore
      && scores[best].value - next >= Self.sureDistance
    self = isSure ? .sure(candidates[best]) : .unsure(likely.prefix(Self.most).map { candidates[$0] })
  }
}
