// Longbox
// SPDX-License-Identifier: MIT

/// The parameters of the ranking.
///
/// docs/search.md explains them and how they were tuned.
package struct Ranking: Sendable {
  /// Weight of a match in the title, relative to the transcript.
  package var title: Float = 6
  /// Weight of a match in the alt text.
  package var alt: Float = 1.5
  /// Weight of a match in the transcript.
  package var transcript: Float = 1
  /// Weight of a match in the explanation.
  package var explanation: Float = 0.5
  /// Weight of a match of the comic's year.
  package var year: Float = 1
  /// BM25's saturation parameter.
  package var saturation: Float = 1.5
  /// BM25's length normalisation for titles, from 0 (none) to 1 (full); the next three are for the other
  /// fields.
  package var titleLength: Float = 0.6
  package var altLength: Float = 0.4
  package var transcriptLength: Float = 0.6
  package var explanationLength: Float = 0.6
  /// Weight of an inflected form, relative to an exact match.
  package var form: Float = 0.8
  /// Weight of an irregular form: `went` for `go`, `4` for `four`.
  package var irregular: Float = 0.4

  /// Weight of a derived word.
  package var derived: Float = 0.3
  /// Weight of a completion of the query's last word.
  package var completion: Float = 0.4
  /// Weight of two words written as one, or one word written as two.
  package var joined: Float = 0.8
  /// Weight of a word at edit distance 1; at distance 2 the weight is squared.
  package var misspelt: Float = 0.5
  /// Factor for corrections of a word that exists.
  package var doubted: Float = 0.3
  /// A word in at most this many comics may be a misspelling.
  package var doubtedDocuments: Int = 3
  /// The penalty for missing words of the query: 0 none, 1 in proportion to their weight.
  package var coverage: Float = 0.6
  /// Weight of words that are near each other as in the query.
  package var proximity: Float = 0.8
  /// How much proximity depends on the share of the query's words near each other: 0 not at all, 1 fully.
  ///
  /// A half-remembered line has most of them; an unrelated comic has a random pair.
  package var proximityPart: Float = 0.5
  /// Weight of a title that is entirely in the query.
  package var wholeTitle: Float = 0.4
  /// How much that depends on the title's share of the query: `Science` answers one word better than eight.
  package var titlePart: Float = 0.5
  /// Comics with at most this fraction of the best score are not hits.
  package var noise: Float = 0.35
  /// The number of top candidates that are examined word by word.
  package var examined: Int = 16

  package init() {}
}

/// Logarithms without a mathematics library, identical on all machines.
enum Logarithm {
  /// The base-2 logarithm of a positive number, accurate to five digits.
  static func log2(_ value: Float) -> Float {
    let exponent = Float(value.exponent)
    // atanh series: ln m = 2 (t + t^3/3 + ...) with t = (m - 1) / (m + 1), m from 1 to 2.
    let t = (value.significand - 1) / (value.significand + 1)
    let square = t * t
    let series =
      t * (1 + square * (0.333_333_33 + square * (0.2 + square * (0.142_857_14 + square * 0.111_111_11))))
    return exponent + series * 2.885_390_08
  }
}
