// Longbox
// SPDX-License-Identifier: MIT

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
