// Longbox
// SPDX-License-Identifier: MIT

/// The parameters of the ranking.
///
/// docs/search.md says what they do and how they were found.
package struct Ranking: Sendable {
  /// Weight of a word in the title, in multiples of one in the transcript.
  package var title: Float = 6
  /// Weight of a word in the alt text.
  package var alt: Float = 1.5
  /// Weight of a word in the transcript.
  package var transcript: Float = 1
  /// Weight of a word in the explanation.
  package var explanation: Float = 0.5
  /// Weight of a year that is the comic's.
  package var year: Float = 1
  /// BM25's saturation.
  package var saturation: Float = 1.5
  /// How much the length of a title counts: 0 nothing, 1 wholly; then of alt text, transcript and explanation.
  package var titleLength: Float = 0.6
  package var altLength: Float = 0.4
  package var transcriptLength: Float = 0.6
  package var explanationLength: Float = 0.6
  /// Weight of another form of the word, an exact one being 1.
  package var form: Float = 0.8
  /// Weight of a form that no rule gives: `went` for `go`, `4` for `four`.
  package var irregular: Float = 0.4

  /// Weight of a derived word.
  package var derived: Float = 0.3
  /// Weight of a word of which the last word of the query is the beginning.
  package var completion: Float = 0.4
  /// Weight of two words that are written as one or the other way round.
  package var joined: Float = 0.8
  /// Weight of a word that differs by one edit, of one that differs by two its square.
  package var misspelt: Float = 0.5
  /// Factor for a misspelling of a word that exists.
  package var doubted: Float = 0.3
  /// A word in so many comics at most may be a misspelling.
  package var doubtedDocuments: Int = 3
  /// How much a comic loses that lacks words of the query: 0 nothing, 1 in proportion to what they are worth.
  package var coverage: Float = 0.6
  /// Weight of words that stand near each other as in the query.
  package var proximity: Float = 0.8
  /// How much that depends on how many of the query's words do so: 0 not at all, 1 wholly.
  ///
  /// A line that is half remembered has most of them, a comic that is told in other words a pair by chance.
  package var proximityPart: Float = 0.5
  /// Weight of a title that is in the query.
  package var wholeTitle: Float = 0.4
  /// How much that depends on how much of the query it is: `Science` is less of an answer to eight words than to one.
  package var titlePart: Float = 0.5
  /// What has this part of what the best has, or less, is no hit, only noise.
  package var noise: Float = 0.35
  /// How many of the best are looked at word by word.
  package var examined: Int = 16

  package init() {}
}

/// Logarithms without a mathematics library, the same on every machine.
enum Logarithm {
  /// The logarithm to base 2 of a positive number, good to five digits.
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
