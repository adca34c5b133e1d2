// Longbox
// SPDX-License-Identifier: MIT

/// Looks at the texts of a comic word by word: which words of the query stand where, and how near each other.
struct TextMatcher {
  /// What the texts of a comic show.
  struct Findings {
    /// The worth of pairs of words that stand near each other, as in the query.
    var proximity: Float = 0
    /// How much that is of what it were if the query stood there word for word, 0 to 1.
    var proximityShare: Float = 0
    /// How much of the title the query has, 0 to 1.
    var titleShare: Float = 0
    /// The worth of the concepts in each field: title, alt text, transcript.
    var worths: (Float, Float, Float) = (0, 0, 0)
  }

  /// Two concepts that follow each other in the query.
  private struct Pair {
    var first: Int
    var second: Int
    var distance: Int
    var worth: Float
  }

  private let variants: WordVariants
  private let worths: [Float]
  private var pairs: [Pair] = []
  private var best: [Float]
  private var places: [Int]
  private var strengths: [Float]

  init(_ query: SearchQuery, _ variants: WordVariants, worths: [Float]) {
    self.variants = variants
    self.worths = worths
    for distance in 1...2 {
      for index in query.words.indices.dropLast(distance) {
        let first = query.words[index].concept
        let second = query.words[index + distance].concept
        guard first != second else { continue }
        let worth = min(worths[first], worths[second]) / Float(distance)
        pairs.append(Pair(first: first, second: second, distance: distance, worth: worth))
      }
    }
    best = Array(repeating: 0, count: pairs.count)
    places = Array(repeating: -1000, count: worths.count)
    strengths = Array(repeating: 0, count: worths.count)
  }

  /// Looks at a comic.
  mutating func examine(_ comic: ArchivedComic, titlesOnly: Bool) -> Findings {
    var findings = Findings()
    for index in best.indices { best[index] = 0 }
    findings.worths.0 = scan(comic.title, titleShare: &findings.titleShare)
    if !titlesOnly {
      var ignored: Float = 0
      findings.worths.1 = scan(comic.alt, titleShare: &ignored)
      findings.worths.2 = scan(comic.transcript, titleShare: &ignored)
    }
    var whole: Float = 0
    for index in pairs.indices {
      findings.proximity += pairs[index].worth * best[index]
      whole += pairs[index].worth
    }
    findings.proximityShare = whole > 0 ? findings.proximity / whole : 0
    return findings
  }

  /// Goes through one text; the share is of its letters that are in words of the query.
  private mutating func scan(_ text: Text, titleShare: inout Float) -> Float {
    var tokenizer = Tokenizer(text)
    let filter = variants.filter
    var matched: Float = 0
    for index in places.indices { places[index] = -1000 }
    while tokenizer.next(filter) {
      var variant = variants.first(tokenizer.word)
      var strongest: Float = 0
      while variant >= 0 {
        let found = variants.variants[variant]
        strongest = max(strongest, found.weight)
        note(Int(found.concept), at: tokenizer.position, weight: found.weight)
        variant = Int(found.next)
      }
      if !tokenizer.isCompound { matched += strongest * Float(tokenizer.word.count) }
    }
    titleShare = tokenizer.letters == 0 ? 0 : matched / Float(tokenizer.letters)
    var sum: Float = 0
    for concept in places.indices where places[concept] >= 0 { sum += worths[concept] }
    return sum
  }

  private mutating func note(_ concept: Int, at position: Int, weight: Float) {
    for index in pairs.indices {
      let pair = pairs[index]
      if pair.second == concept {
        let distance = position - places[pair.first]
        let off = abs(distance - pair.distance)
        if distance < 12, distance > 0 {
          best[index] = max(best[index], weight * strengths[pair.first] / Float(1 + off))
        }
      } else if pair.first == concept {
        let distance = position - places[pair.second]
        if distance < 12, distance > 0 {
          best[index] = max(best[index], weight * strengths[pair.second] / Float(1 + distance))
        }
      }
    }
    places[concept] = position
    strengths[concept] = weight
  }
}
