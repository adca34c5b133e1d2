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
  /// Comics whose words are worth less than this fraction of the best comic's are not hits.
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

/// Per-comic tables for search: which segment holds a comic, and the lengths of its texts.
///
/// The tables have a few bytes per comic and are filled in one pass over the indexes' document tables.
struct SearchCorpus: Sendable {
  /// An index and the number of its segment.
  struct Part: Sendable {
    var index: SearchIndex
    var segment: UInt16
  }

  /// The indexes of titles, alt texts and transcripts, oldest first; then those of explanations.
  private(set) var parts: [Part] = []
  /// The greatest number plus one.
  let slotCount: Int
  /// By number, the segment that holds a comic's text, counted from 1; 0 if there is no such comic.
  private(set) var textOwners: [UInt16]
  /// By number, the segment that holds a comic's explanation.
  private(set) var explanationOwners: [UInt16]
  /// The year of each comic, by number.
  private(set) var years: [UInt16]
  private(set) var documentCount = 0
  /// Whether there is an index of explanations.
  var hasExplanations: Bool { parts.contains { $0.index.fieldCount == 1 } }

  /// The weight of one word by field and length of the field: 4 rows of 256.
  private var norms: [Float] = []
  /// The encoded length of each field, four bytes per comic.
  private var lengths: [UInt8]

  init(_ archive: Archive, explanations: [Segment], _ ranking: Ranking) {
    let slots = (archive.latest?.rawNumber ?? 0) + 1
    slotCount = slots
    textOwners = Array(repeating: 0, count: slots)
    explanationOwners = Array(repeating: 0, count: slots)
    years = Array(repeating: 0, count: slots)
    lengths = Array(repeating: 0, count: slots * 4)
    var owner: UInt16 = 0
    for segment in archive.segments {
      owner += 1
      for row in 0..<segment.count {
        let comic = segment[row: row]
        guard comic.rawNumber < slots, comic.rawNumber >= 0 else { continue }
        textOwners[comic.rawNumber] = owner
        years[comic.rawNumber] = UInt16(clamping: comic.date?.year ?? 0)
      }
      if let range = segment.searchIndex { add(SearchIndex(segment.bytes, at: range), owner, fields: 3) }
    }
    owner = 0
    for segment in archive.segments + explanations {
      owner += 1
      if let range = segment.explanationIndex { add(SearchIndex(segment.bytes, at: range), owner, fields: 1) }
    }
    measure(ranking)
  }

  /// The weight of one word in a field of a comic.
  @inline(__always)
  func norm(_ field: Int, _ number: Int) -> Float {
    norms[field &<< 8 | Int(lengths[number &<< 2 | field])]
  }

  /// The worth of a word: BM25's inverse document frequency to the power of 3/4.
  ///
  /// The power reduces the weight of the rarest word, which is often wrong in a query from memory.
  func worth(documents: Int) -> Float {
    let rest = Float(max(documentCount - documents, 0)) + 0.5
    let root = Logarithm.log2(1 + rest / (Float(documents) + 0.5)).squareRoot()
    return root * root.squareRoot()
  }

  private mutating func add(_ index: SearchIndex?, _ segment: UInt16, fields: Int) {
    guard let index, index.fieldCount == fields else { return }
    parts.append(Part(index: index, segment: segment))
    for row in 0..<index.documentCount {
      let number = index.number(ofRow: row)
      guard number < slotCount, textOwners[number] != 0 else { continue }
      if fields == 1 {
        explanationOwners[number] = segment
        lengths[number * 4 + 3] = index.length(ofRow: row, field: 0)
      } else if textOwners[number] == segment {
        for field in 0..<3 { lengths[number * 4 + field] = index.length(ofRow: row, field: field) }
      }
    }
  }

  /// Computes the mean lengths and the weights.
  private mutating func measure(_ ranking: Ranking) {
    var sums = [0, 0, 0, 0]
    var counts = [0, 0, 0, 0]
    for number in 0..<slotCount where textOwners[number] != 0 {
      documentCount += 1
      for field in 0..<4 where lengths[number * 4 + field] > 0 {
        sums[field] += min(FieldLength.decode(lengths[number * 4 + field]), 1 << 16)
        counts[field] += 1
      }
    }
    let weights = [ranking.title, ranking.alt, ranking.transcript, ranking.explanation]
    let slopes = [
      ranking.titleLength, ranking.altLength, ranking.transcriptLength, ranking.explanationLength,
    ]
    norms.reserveCapacity(4 * 256)
    for field in 0..<4 {
      let mean = counts[field] == 0 ? 1 : max(Float(sums[field]) / Float(counts[field]), 1)
      for byte in UInt8.min...UInt8.max {
        let length = Float(FieldLength.decode(byte)) / mean
        norms.append(weights[field] / max(1 - slopes[field] + slopes[field] * length, 0.01))
      }
    }
  }
}

/// Sums up the score of each comic over the words of a query: BM25F.
///
/// Comics are identified by number, so that the indexes of several segments share one board.
struct Scoreboard {
  private(set) var scores: [Float]
  /// The total worth of the concepts in each comic.
  private(set) var covered: [Float]
  /// The concepts in each comic, as bits.
  private(set) var concepts: [UInt32]
  /// The worth of each concept; rare ones have more.
  private(set) var worths: [Float] = []
  /// The comics with any concept, in order of first occurrence.
  private(set) var comics: [Int32] = []

  private var frequencies: [Float]
  private var touched: [Int32] = []
  private let corpus: SearchCorpus
  private let ranking: Ranking

  init(_ corpus: SearchCorpus, _ ranking: Ranking) {
    self.corpus = corpus
    self.ranking = ranking
    scores = Array(repeating: 0, count: corpus.slotCount)
    covered = Array(repeating: 0, count: corpus.slotCount)
    concepts = Array(repeating: 0, count: corpus.slotCount)
    frequencies = Array(repeating: 0, count: corpus.slotCount)
  }

  /// Counts the postings of a term for the current concept.
  mutating func count(_ postings: TermPostings, in part: SearchCorpus.Part, weight: Float, titlesOnly: Bool) {
    if part.index.fieldCount == 1 {
      if !titlesOnly { countExplanations(postings, in: part, weight: weight) }
      return
    }
    let span = part.index.bytes.span.bytes
    var offset = postings.range.lowerBound
    let end = postings.range.upperBound
    var number = 0
    while let delta = span.varint(at: &offset, end: end) {
      number += delta >> 2
      let code = delta & 3
      guard number < corpus.slotCount else { return }
      var extra = 0
      if code == 3 {
        guard offset < end else { return }
        extra = Int(span.byte(at: offset))
        offset += 1
      }
      guard corpus.textOwners[number] == part.segment else { continue }
      var frequency: Float
      if titlesOnly {
        guard code == 3, extra >> 6 > 0 else { continue }
        frequency = Float(extra >> 6) * corpus.norm(0, number)
      } else {
        switch code {
        case 0: frequency = corpus.norm(2, number)
        case 1: frequency = corpus.norm(1, number)
        case 2: frequency = 2 * corpus.norm(2, number)
        default:
          frequency = Float(extra & 7) * corpus.norm(2, number)
          if extra & 0x38 != 0 { frequency += Float(extra >> 3 & 7) * corpus.norm(1, number) }
          if extra & 0xC0 != 0 { frequency += Float(extra >> 6) * corpus.norm(0, number) }
        }
      }
      add(frequency * weight, to: number)
    }
  }

  private mutating func countExplanations(_ postings: TermPostings, in part: SearchCorpus.Part, weight: Float)
  {
    let span = part.index.bytes.span.bytes
    var offset = postings.range.lowerBound
    var number = 0
    while let delta = span.varint(at: &offset, end: postings.range.upperBound) {
      number += delta >> 2
      guard number < corpus.slotCount else { return }
      guard corpus.explanationOwners[number] == part.segment else { continue }
      let times: Float
      switch delta & 3 {
      case 0: times = 1
      case 1: times = 2
      case 2: times = 3.5
      default: times = 6
      }
      add(times * corpus.norm(3, number) * weight, to: number)
    }
  }

  /// Counts a word that matches all comics of a year.
  mutating func count(year: Int) {
    guard corpus.years.count == corpus.slotCount else { return }
    for number in 0..<corpus.slotCount where Int(corpus.years[number]) == year {
      add(ranking.year, to: number)
    }
  }

  @inline(__always)
  private mutating func add(_ frequency: Float, to number: Int) {
    let before = frequencies[number]
    if before == 0 { touched.append(Int32(truncatingIfNeeded: number)) }
    frequencies[number] = before + frequency
  }

  /// Ends a concept and adds its counts to the scores.
  mutating func close() {
    let worth = corpus.worth(documents: touched.count)
    let concept: UInt32 = 1 << UInt32(worths.count)
    worths.append(worth)
    for number in touched {
      let slot = Int(number)
      let frequency = frequencies[slot]
      frequencies[slot] = 0
      if covered[slot] == 0 { comics.append(number) }
      covered[slot] += worth
      concepts[slot] |= concept
      scores[slot] += worth * frequency / (ranking.saturation + frequency)
    }
    touched.removeAll(keepingCapacity: true)
  }

  /// Ends a concept that no comic has and that isn't required.
  mutating func closeEmpty() {
    worths.append(0)
  }
}
