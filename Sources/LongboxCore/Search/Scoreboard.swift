// Longbox
// SPDX-License-Identifier: MIT

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
