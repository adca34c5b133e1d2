// Longbox
// SPDX-License-Identifier: MIT

/// Builds the inverted index of texts that ``Search`` reads in place.
///
/// Documents must come in order of their numbers. Everything stays in memory until the end: about 30 MB for
/// all comics with explanations.
public struct SearchIndexWriter {
  private struct Occurrence {
    var term: UInt32
    var document: UInt32
    var field: UInt8
  }

  private let fieldCount: Int
  private var terms = TermTable()
  private var occurrences: [Occurrence] = []
  private var numbers: [UInt32] = []
  private var lengths: [UInt8] = []

  private init(fieldCount: Int) {
    self.fieldCount = fieldCount
  }

  /// Builds the index of comics' titles, alt texts and transcripts.
  /// - Parameter comics: the comics in order of their numbers; any out of order are dropped.
  public static func index(of comics: some Sequence<Comic>) -> [UInt8] {
    var writer = SearchIndexWriter(fieldCount: 3)
    for comic in comics {
      writer.append(comic.number, fields: [comic.title, comic.alt, comic.transcript])
    }
    return writer.finish()
  }

  /// Builds the index of explanations.
  /// - Parameter explanations: plain texts in order of the comics' numbers; any out of order are dropped.
  public static func index(ofExplanations explanations: some Sequence<(Comic.Number, Text)>) -> [UInt8] {
    var writer = SearchIndexWriter(fieldCount: 1)
    for (number, text) in explanations {
      writer.append(number, fields: [text])
    }
    return writer.finish()
  }

  private mutating func append(_ number: Comic.Number, fields: [Text]) {
    let value = UInt32(number.value)
    if let last = numbers.last, last >= value { return }
    numbers.append(value)
    for (field, text) in fields.enumerated() {
      var tokenizer = Tokenizer(text)
      while tokenizer.next() {
        let term = terms.insert(tokenizer.word)
        occurrences.append(
          Occurrence(term: UInt32(term), document: UInt32(numbers.count - 1), field: UInt8(field))
        )
      }
      lengths.append(FieldLength.encode(tokenizer.position + 1))
    }
  }

  private consuming func finish() -> [UInt8] {
    // A stable counting sort by term, so that a term's documents stay in order.
    var starts = Array(repeating: 0, count: terms.count + 1)
    for occurrence in occurrences { starts[Int(occurrence.term) + 1] += 1 }
    for term in 0..<terms.count { starts[term + 1] += starts[term] }
    var next = starts
    var byTerm = Array(repeating: 0, count: occurrences.count)
    for (index, occurrence) in occurrences.enumerated() {
      byTerm[next[Int(occurrence.term)]] = index
      next[Int(occurrence.term)] += 1
    }
    let order = (0..<terms.count).sorted { terms[$0].lexicographicallyPrecedes(terms[$1]) }

    var dictionary = TermDictionaryWriter()
    for term in order {
      let (postings, documents) = postings(byTerm[starts[term]..<starts[term + 1]])
      dictionary.append(terms[term], documents: documents, postings: postings)
    }
    return dictionary.finish(numbers: numbers, lengths: lengths, fieldCount: fieldCount)
  }

  /// The encoded postings of one term's occurrences, and the number of documents.
  private func postings(_ places: ArraySlice<Int>) -> (bytes: [UInt8], documents: Int) {
    var bytes: [UInt8] = []
    var documents = 0
    var previous: UInt32 = 0
    var index = places.startIndex
    while index < places.endIndex {
      let document = occurrences[places[index]].document
      var counts = FieldCounts()
      while index < places.endIndex, occurrences[places[index]].document == document {
        counts.add(occurrences[places[index]].field)
        index += 1
      }
      let number = numbers[Int(document)]
      let (code, extra) = fieldCount == 1 ? (counts.singleCode, nil) : counts.code
      bytes.appendVarint((number - previous) << 2 | UInt32(code))
      if let extra { bytes.append(extra) }
      previous = number
      documents += 1
    }
    return (bytes, documents)
  }
}

/// The number of occurrences of a term in each field of a document.
private struct FieldCounts {
  private var title = 0
  private var alt = 0
  private var transcript = 0

  mutating func add(_ field: UInt8) {
    switch field {
    case 0: title += 1
    case 1: alt += 1
    default: transcript += 1
    }
  }

  var code: (code: UInt8, extra: UInt8?) {
    switch (title, alt, transcript) {
    case (0, 0, 1): (0, nil)
    case (0, 1, 0): (1, nil)
    case (0, 0, 2): (2, nil)
    default: (3, UInt8(min(title, 3) << 6 | min(alt, 7) << 3 | min(transcript, 7)))
    }
  }

  /// The code in an index of one field, which is stored as the first.
  var singleCode: UInt8 { title >= 5 ? 3 : title >= 3 ? 2 : title == 2 ? 1 : 0 }
}

/// Writes sorted terms, front-coded in blocks.
struct TermDictionaryWriter {
  private var blocks: [UInt8] = []
  private var terms: [UInt8] = []
  private var postings: [UInt8] = []
  private var previous: ArraySlice<UInt8> = []
  private var count = 0

  mutating func append(_ term: ArraySlice<UInt8>, documents: Int, postings added: [UInt8]) {
    var shared = 0
    if count % SearchIndexLayout.termsPerBlock == 0 {
      blocks.append32(UInt32(terms.count))
      blocks.append32(UInt32(postings.count))
    } else {
      shared = zip(previous, term).prefix { $0 == $1 }.count
    }
    terms.append(UInt8(shared))
    terms.append(UInt8(term.count - shared))
    terms.append(contentsOf: term.dropFirst(shared))
    terms.appendVarint(UInt32(documents))
    terms.appendVarint(UInt32(added.count))
    postings.append(contentsOf: added)
    previous = term
    count += 1
  }

  func finish(numbers: [UInt32], lengths: [UInt8], fieldCount: Int) -> [UInt8] {
    let blocksOffset = SearchIndexLayout.headerLength + numbers.count * (4 + fieldCount)
    let termsOffset = blocksOffset + blocks.count
    let postingsOffset = termsOffset + terms.count
    var bytes: [UInt8] = []
    bytes.append16(SearchIndexLayout.version)
    bytes.append16(UInt16(fieldCount))
    bytes.append32(UInt32(numbers.count))
    bytes.append32(UInt32(count))
    bytes.append32(UInt32(blocks.count / SearchIndexLayout.blockLength))
    bytes.append32(UInt32(blocksOffset))
    bytes.append32(UInt32(termsOffset))
    bytes.append32(UInt32(postingsOffset))
    bytes.append32(UInt32(postingsOffset + postings.count))
    for number in numbers { bytes.append32(number) }
    return bytes + lengths + blocks + terms + postings
  }
}

/// Numbers distinct words in order of first occurrence, with a hash table over bytes.
///
/// `Dictionary` needs random numbers from its host, which the device may not have.
struct TermTable {
  /// The bytes of all words in sequence.
  private(set) var bytes: [UInt8] = []
  /// The end of each word in ``bytes``; it begins at the end of the previous one.
  private(set) var ends: [Int] = []
  private var slots: [Int32]

  init() {
    slots = Array(repeating: -1, count: 1024)
  }

  var count: Int { ends.count }

  subscript(term: Int) -> ArraySlice<UInt8> {
    bytes[(term == 0 ? 0 : ends[term - 1])..<ends[term]]
  }

  /// Returns the number of a word; adds the word if it is new.
  mutating func insert(_ word: [UInt8]) -> Int {
    if (ends.count + 1) * 2 > slots.count { grow() }
    let slot = slot(of: word[...])
    if slots[slot] >= 0 { return Int(slots[slot]) }
    slots[slot] = Int32(ends.count)
    bytes.append(contentsOf: word)
    ends.append(bytes.count)
    return ends.count - 1
  }

  private func slot(of word: ArraySlice<UInt8>) -> Int {
    var slot = Int(truncatingIfNeeded: TermHash.hash(word)) & (slots.count - 1)
    while slots[slot] >= 0, self[Int(slots[slot])] != word {
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  private mutating func grow() {
    slots = Array(repeating: -1, count: slots.count * 2)
    for term in 0..<ends.count {
      slots[slot(of: self[term])] = Int32(term)
    }
  }
}

/// A hash function for short words (FNV-1a, 32 bits).
enum TermHash {
  static func hash(_ word: ArraySlice<UInt8>) -> UInt32 {
    var hash: UInt32 = 0x811C_9DC5
    for byte in word { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    return hash ^ (hash >> 15)
  }
}
