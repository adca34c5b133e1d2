// Longbox
// SPDX-License-Identifier: MIT

/// Which of several pages is about an album: one for certain, some perhaps, or none.
public enum ArticleChoice: Equatable, Sendable {
  /// This one.
  case sure(ArticleCandidate)
  /// One of these, the likeliest first, or none: the reader knows better.
  case unsure([ArticleCandidate])
  /// None of them.
  case none

  /// How many pages a reader is asked to choose from.
  private static let most = 3
  /// From this score on a page is taken where no other comes near.
  private static let sureScore = 9
  /// By how much it has to be better than the next.
  private static let sureDistance = 3
  /// From this score on a page is worth asking about.
  private static let likelyScore = 5

  /// Chooses among pages.
  public init(for album: Album, among candidates: [ArticleCandidate]) {
    let scores = candidates.map { ArticleScore(of: $0, for: album) }
    let places = orderedPlaces(candidates.count) { scores[$0].value > scores[$1].value }
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
