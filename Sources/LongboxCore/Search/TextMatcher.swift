// Longbox
// SPDX-License-Identifier: MIT

/// A word of a text that matches a word of the query.
struct TextMatch {
  /// Its range in the text's bytes.
  var range: Range<Int>
  var concept: Int
  /// Its weight; an exact match has 1.
  var weight: Float
}

/// Reads a comic's texts word by word: finds the query's words and their proximity.
struct TextMatcher {
  struct Findings {
    /// The worth of pairs of query words that are near each other in a text.
    var proximity: Float = 0
    /// ``proximity`` as a fraction of its value if the whole query occurred verbatim, 0 to 1.
    var proximityShare: Float = 0
    /// The fraction of the title that the query contains, 0 to 1.
    var titleShare: Float = 0
    /// The worth of the concepts in each field: title, alt text, transcript.
    var worths: (Float, Float, Float) = (0, 0, 0)
  }

  /// The matches in a comic's texts, as ranges.
  struct Reading {
    var number: Int
    var title = 0..<0
    var alt = 0..<0
    var transcript = 0..<0
  }

  /// The matches in all examined comics.
  private(set) var matches: [TextMatch] = []
  /// The matches of each examined comic, in order of examination.
  private(set) var readings: [Reading] = []

  /// Two concepts that are one or two words apart in the query.
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

  mutating func examine(_ comic: ArchivedComic, titlesOnly: Bool) -> Findings {
    var findings = Findings()
    for index in best.indices { best[index] = 0 }
    var reading = Reading(number: comic.rawNumber)
    findings.worths.0 = scan(comic.title, titleShare: &findings.titleShare, matches: &reading.title)
    if !titlesOnly {
      var ignored: Float = 0
      findings.worths.1 = scan(comic.alt, titleShare: &ignored, matches: &reading.alt)
      findings.worths.2 = scan(comic.transcript, titleShare: &ignored, matches: &reading.transcript)
    }
    readings.append(reading)
    var whole: Float = 0
    for index in pairs.indices {
      findings.proximity += pairs[index].worth * best[index]
      whole += pairs[index].worth
    }
    findings.proximityShare = whole > 0 ? findings.proximity / whole : 0
    return findings
  }

  /// Scans one text; the share is the fraction of its letters in words of the query.
  private mutating func scan(_ text: Text, titleShare: inout Float, matches range: inout Range<Int>) -> Float
  {
    let start = matches.count
    var tokenizer = Tokenizer(text)
    let filter = variants.filter
    var matched: Float = 0
    for index in places.indices { places[index] = -1000 }
    while tokenizer.next(filter) {
      var variant = variants.first(tokenizer.word)
      var strongest: Float = 0
      if variant >= 0, !tokenizer.isCompound {
        let found = variants.variants[variant]
        matches.append(
          TextMatch(range: tokenizer.range, concept: Int(found.concept), weight: found.weight)
        )
      }
      while variant >= 0 {
        let found = variants.variants[variant]
        strongest = max(strongest, found.weight)
        note(Int(found.concept), at: tokenizer.position, weight: found.weight)
        variant = Int(found.next)
      }
      if !tokenizer.isCompound { matched += strongest * Float(tokenizer.word.count) }
    }
    range = start..<matches.count
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
