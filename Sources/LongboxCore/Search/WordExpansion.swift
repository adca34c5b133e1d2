// Longbox
// SPDX-License-Identifier: MIT

/// Finds the index terms that a word of the query may mean.
struct WordExpansion {
  /// The maximum number of terms examined for one prefix.
  private static let mostForms = 600
  /// The maximum number of completions of an incomplete word.
  private static let mostCompletions = 128
  /// The maximum number of other spellings of a word.
  private static let mostSpellings = 8

  struct Spelling {
    var bytes: [UInt8]
    var distance: Int
    var documents: Int
    var sharesFirst: Bool
  }

  /// The postings of a variant in one part of the corpus.
  struct VariantPostings {
    var variant: Int
    var part: Int
    var postings: TermPostings
  }

  private(set) var variants = WordVariants()
  /// The postings of the current concept's variants.
  private(set) var variantPostings: [VariantPostings] = []

  private let parts: [SearchCorpus.Part]
  /// By number, the segment that holds a comic's text.
  private let owners: [UInt16]
  private let ranking: Ranking
  private let titlesOnly: Bool

  init(_ corpus: SearchCorpus, _ ranking: Ranking, titlesOnly: Bool) {
    parts = titlesOnly ? corpus.parts.filter { $0.index.fieldCount == 3 } : corpus.parts
    owners = corpus.textOwners
    self.ranking = ranking
    self.titlesOnly = titlesOnly
  }

  /// The part of the corpus that contains the postings.
  func part(of found: VariantPostings) -> SearchCorpus.Part { parts[found.part] }

  /// Clears the postings of the previous concept; its variants stay.
  mutating func beginConcept() {
    variantPostings.removeAll(keepingCapacity: true)
  }

  /// The number of documents with exactly this word in the texts that are searched, other than explanations.
  func documents(with word: ArraySlice<UInt8>) -> Int {
    var count = 0
    for part in parts where part.index.fieldCount == 3 {
      if let postings = part.index.find(word) { count += documents(postings, in: part) }
    }
    return count
  }

  /// Whether a title contains exactly this word; for rare words only, because it reads all postings.
  func isInTitle(_ word: ArraySlice<UInt8>) -> Bool {
    parts.contains { part in
      guard part.index.fieldCount == 3, let postings = part.index.find(word) else { return false }
      return titles(postings, in: part) > 0
    }
  }

  /// The number of documents in a term's postings that a search can find by it.
  private func documents(_ postings: TermPostings, in part: SearchCorpus.Part) -> Int {
    titlesOnly ? titles(postings, in: part) : postings.documents
  }

  /// The number of documents in a term's postings that have it in their title.
  private func titles(_ postings: TermPostings, in part: SearchCorpus.Part) -> Int {
    let span = part.index.bytes.span.bytes
    let end = postings.range.upperBound
    var offset = postings.range.lowerBound
    var number = 0
    var count = 0
    while let delta = span.varint(at: &offset, end: end) {
      number += delta >> 2
      // As in `Scoreboard`: only code 3 is followed by counts per field, with the title's in the top bits.
      guard delta & 3 == 3 else { continue }
      guard offset < end, number < owners.count else { break }
      if span.byte(at: offset) >> 6 > 0, owners[number] == part.segment { count += 1 }
      offset += 1
    }
    return count
  }

  /// Adds a word without changes.
  /// - Returns: the number of documents with the word in their own texts: a word of any text is spelled correctly.
  @discardableResult
  mutating func insert(_ word: ArraySlice<UInt8>, concept: Int, weight: Float) -> Int {
    var documents = 0
    for part in parts.indices {
      guard let postings = parts[part].index.find(word) else { continue }
      insert(word, concept: concept, weight: weight, part: part, postings)
      if parts[part].index.fieldCount == 3 { documents += postings.documents }
    }
    return documents
  }

  private mutating func insert(
    _ term: ArraySlice<UInt8>,
    concept: Int,
    weight: Float,
    part: Int,
    _ postings: TermPostings
  ) {
    let variant = variants.insert(term, concept: concept, weight: weight)
    if variantPostings.contains(where: { $0.variant == variant && $0.part == part }) { return }
    variantPostings.append(VariantPostings(variant: variant, part: part, postings: postings))
  }

  /// Adds the forms of a word, such as its plural, and derived words.
  /// - Returns: the number of documents with a form; a document counts once for each form.
  mutating func insertForms(of word: [UInt8], concept: Int, weight: Float) -> Int {
    var reduced = word
    Stemmer.reduce(&reduced)
    var root = reduced
    Stemmer.deriveRoot(&root)
    var beginning = root[...]
    if let last = root.last, root.count > 3 || last == UInt8(ascii: "i") { beginning.removeLast() }
    guard beginning.count >= 2, word.count >= 3 else { return 0 }
    var documents = 0
    var form: [UInt8] = []
    for part in parts.indices {
      parts[part].index.visit(prefix: beginning, limit: Self.mostForms) { term in
        guard term.bytes.count <= word.count + 6, term.bytes != word else { return .next }
        form.removeAll(keepingCapacity: true)
        form.append(contentsOf: term.bytes)
        Stemmer.reduce(&form)
        var weight = weight
        if form == reduced {
          weight *= ranking.form
          if parts[part].index.fieldCount == 3 { documents += term.postings.documents }
        } else {
          // Derived words keep at least four letters.
          guard root.count >= 4 else { return .next }
          Stemmer.deriveRoot(&form)
          guard form == root else { return .next }
          weight *= ranking.derived
        }
        insert(term.bytes[...], concept: concept, weight: weight, part: part, term.postings)
        return .next
      }
    }
    return documents
  }

  /// Adds the completions of an incomplete word.
  mutating func insertCompletions(of word: [UInt8], concept: Int) {
    for part in parts.indices {
      parts[part].index.visit(prefix: word[...], limit: Self.mostCompletions) { term in
        insert(term.bytes[...], concept: concept, weight: ranking.completion, part: part, term.postings)
        return .next
      }
    }
  }

  /// The spellings nearest to a word, the likeliest first.
  ///
  /// Terms with another first letter are examined only if none is near, because such errors are rare.
  func spellings(of word: [UInt8], limit: Int) -> [Spelling] {
    guard word.count >= 3, word.contains(where: { !$0.isASCIIDigit }) else { return [] }
    var found: [Spelling] = []
    gatherOneAway(from: word, into: &found)
    if found.isEmpty, limit > 1 {
      gather(word, limit: limit, prefix: [word[0]], into: &found)
      if word[1] != word[0] { gather(word, limit: limit, prefix: [word[1], word[0]], into: &found) }
    }
    if found.isEmpty, word.count >= 4 { gatherOtherBeginnings(of: word, into: &found) }
    let order = sortedIndices(found.count) { left, right in
      let (left, right) = (found[left], found[right])
      if left.distance != right.distance { return left.distance < right.distance }
      if left.sharesFirst != right.sharesFirst { return left.sharesFirst }
      if left.documents != right.documents { return left.documents > right.documents }
      return left.bytes.lexicographicallyPrecedes(right.bytes)
    }
    return order.prefix(Self.mostSpellings).map { found[$0] }
  }

  /// Finds words at distance one that begin with the same letter, or with the first two letters swapped.
  ///
  /// It scans those that share two letters. If the second letter differs, the error is there, so all
  /// candidates are looked up: a fifth of the cost of scanning all words with that letter.
  private func gatherOneAway(from word: [UInt8], into found: inout [Spelling]) {
    gather(word, limit: 1, prefix: [word[0], word[1]], into: &found)
    var shorter = word
    shorter.remove(at: 1)
    if word[1] != word[2] { lookUp(shorter, for: word, into: &found) }
    for index in 0...1 where word[index] != word[index + 1] {
      var swapped = word
      swapped.swapAt(index, index + 1)
      lookUp(swapped, for: word, into: &found)
    }
    lookUpLetters(at: 1, for: word, into: &found)
  }

  /// Finds words with another letter at an index, or with one inserted before it.
  private func lookUpLetters(at index: Int, for word: [UInt8], into found: inout [Spelling]) {
    var changed = word
    var longer = word
    longer.insert(0, at: index)
    for letter in UInt8(ascii: "a")...UInt8(ascii: "z") where letter != word[index] {
      changed[index] = letter
      lookUp(changed, for: word, into: &found)
      longer[index] = letter
      lookUp(longer, for: word, into: &found)
    }
  }

  /// Adds a word at distance one if the indexes have it.
  private func lookUp(_ candidate: [UInt8], for word: [UInt8], into found: inout [Spelling]) {
    guard candidate.count >= 3 else { return }
    for part in parts where part.index.fieldCount == 3 {
      guard let postings = part.index.find(candidate[...]) else { continue }
      Self.add(candidate, distance: 1, documents: documents(postings, in: part), of: word, to: &found)
    }
  }

  private func gather(_ word: [UInt8], limit: Int, prefix: [UInt8], into found: inout [Spelling]) {
    for part in parts where part.index.fieldCount == 3 {
      var distance = EditDistance(to: word, limit: limit)
      part.index.visit(prefix: prefix[...], limit: .max) { term in
        let edits: Int
        switch distance.verdict(on: term.bytes, shared: term.shared) {
        case .near(let count): edits = count
        case .far: return .next
        case .farFrom(let count): return .skip(count)
        }
        guard edits > 0, term.bytes.count >= 3 else { return .next }
        let documents = documents(term.postings, in: part)
        Self.add(term.bytes, distance: edits, documents: documents, of: word, to: &found)
        return .next
      }
    }
  }

  /// Finds words that differ in the first letter: without it, with another, or with one inserted before it.
  ///
  /// Looking up the few candidates is cheaper than scanning the dictionary.
  private func gatherOtherBeginnings(of word: [UInt8], into found: inout [Spelling]) {
    lookUp(Array(word[1...]), for: word, into: &found)
    lookUpLetters(at: 0, for: word, into: &found)
  }

  private static func add(
    _ term: [UInt8],
    distance: Int,
    documents: Int,
    of word: [UInt8],
    to found: inout [Spelling]
  ) {
    guard documents > 0 else { return }
    if let same = found.firstIndex(where: { $0.bytes == term }) {
      found[same].documents += documents
    } else {
      found.append(
        Spelling(
          bytes: term,
          distance: distance,
          documents: documents,
          sharesFirst: term.first == word.first
        )
      )
    }
  }

  /// The two words that a word consists of, if the indexes have both.
  func split(_ word: [UInt8]) -> (left: ArraySlice<UInt8>, right: ArraySlice<UInt8>)? {
    guard word.count >= 6, word.count <= 32 else { return nil }
    var best: (left: ArraySlice<UInt8>, right: ArraySlice<UInt8>)?
    var most = 0
    for index in 3...(word.count - 3) {
      let left = word[..<index]
      let right = word[index...]
      // The rarer of the two decides, since both must be common.
      let documents = min(self.documents(with: left), self.documents(with: right))
      if documents > most {
        most = documents
        best = (left, right)
      }
    }
    return best
  }
}

/// The index terms that a query's words may mean, each with its weight.
///
/// A small hash table maps a word of a text to the variants.
struct WordVariants {
  /// A term with its concept and weight.
  struct Variant {
    var start: Int
    var end: Int
    var concept: UInt8
    var weight: Float
    /// The next variant with the same bytes, for another concept; -1 if none.
    var next: Int32
  }

  private(set) var variants: [Variant] = []
  private var bytes: [UInt8] = []
  private var slots: [Int32] = Array(repeating: -1, count: 256)
  /// A filter that passes the variants.
  private(set) var filter = WordFilter.none

  /// Adds a term; if the concept has it already, the greater weight counts.
  /// - Returns: the index of the variant.
  @inline(never)
  mutating func insert(_ term: ArraySlice<UInt8>, concept: Int, weight: Float) -> Int {
    if (variants.count + 1) * 2 > slots.count { grow() }
    let slot = slot(of: term)
    var index = slots[slot]
    while index >= 0 {
      if Int(variants[Int(index)].concept) == concept {
        variants[Int(index)].weight = max(variants[Int(index)].weight, weight)
        return Int(index)
      }
      index = variants[Int(index)].next
    }
    filter.insert(term)
    let start = bytes.count
    bytes.append(contentsOf: term)
    variants.append(
      Variant(start: start, end: bytes.count, concept: UInt8(concept), weight: weight, next: slots[slot])
    )
    slots[slot] = Int32(variants.count - 1)
    return variants.count - 1
  }

  /// The first variant that equals a word, with a link to the others in `next`; -1 if none.
  func first(_ word: [UInt8]) -> Int {
    Int(slots[slot(of: word[...])])
  }

  subscript(index: Int) -> ArraySlice<UInt8> { bytes[variants[index].start..<variants[index].end] }

  private func slot(of term: ArraySlice<UInt8>) -> Int {
    var slot = Int(truncatingIfNeeded: TermHash.hash(term)) & (slots.count - 1)
    while slots[slot] >= 0, self[Int(slots[slot])] != term {
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: -1, count: old.count * 2)
    for head in old where head >= 0 {
      slots[slot(of: self[Int(head)])] = head
    }
  }
}
