// Longbox
// SPDX-License-Identifier: MIT

/// One search: expands words to terms, scores comics, and examines the best ones.
struct SearchRun {
  /// A comic that may be a hit.
  struct Candidate {
    var number: Int32
    var score: Float
  }

  private struct Correction {
    var range: Range<Int>
    var bytes: [UInt8]
  }

  /// The maximum number of comics whose texts are read for a phrase.
  private static let mostRead = 400
  /// The maximum number of explanations that are read for a phrase that no comic's own text has.
  private static let mostExplanationsRead = 16

  let search: Search
  let query: SearchQuery
  let question: SearchQuestion
  /// The plain text of a comic's explanation, if the host has it.
  private let explanation: (Comic.Number) -> Text?
  var ranking: Ranking { search.ranking }
  var titlesOnly: Bool { !question.isDeep }

  private var board: Scoreboard
  private var expansion: WordExpansion
  private var corrections: [Correction] = []
  /// Whether a word of the query is also the year of comics.
  private var countsYear = false
  private var matcher: TextMatcher?
  /// The comics whose explanation may have a phrase, and was not there.
  private var missingTexts: [Comic.Number] = []
  /// The number of hits that must be in order, from the first.
  private var ordered: Int

  /// - Parameter query: the question's query, or another that is tried in its place.
  init(
    _ search: Search,
    _ query: SearchQuery,
    _ question: SearchQuestion,
    _ explanation: @escaping (Comic.Number) -> Text?
  ) {
    self.search = search
    self.query = query
    self.question = question
    self.explanation = explanation
    ordered = max(question.offset, 0) + max(question.limit, 0)
    board = Scoreboard(search.corpus, search.ranking)
    expansion = WordExpansion(search.corpus, search.ranking, titlesOnly: !question.isDeep)
  }

  /// All hits, best first, and those requested.
  /// - Parameter known: hits that are not requested.
  mutating func page(without known: [Candidate]) -> (ranked: [Candidate], page: [Candidate]) {
    ordered += known.count
    let ranked = ranked()
    var others = ranked
    if !known.isEmpty {
      var isKnown = Array(repeating: false, count: search.corpus.slotCount)
      // The numbers in a forged archive may be any.
      for candidate in known where isKnown.indices.contains(Int(candidate.number)) {
        isKnown[Int(candidate.number)] = true
      }
      others.removeAll { isKnown.indices.contains(Int($0.number)) && isKnown[Int($0.number)] }
    }
    let first = min(max(question.offset, 0), others.count)
    return (ranked, Array(others[first...].prefix(max(question.limit, 0))))
  }

  /// The results with these hits.
  func results(of page: [Candidate], total: Int) -> SearchResults {
    let snippets = SnippetMaker(
      expansion.variants,
      worths: board.worths,
      matcher: matcher,
      explanation: explanation
    )
    let hits = page.compactMap { candidate -> SearchHit? in
      guard let number = Comic.Number(Int(candidate.number)), let comic = search.archive.comic(number) else {
        return nil
      }
      return snippets.hit(
        comic,
        score: candidate.score,
        titlesOnly: titlesOnly || !question.hasSnippets
      )
    }
    // Filters look at no text.
    let looksAtTexts = !query.words.isEmpty || !query.excluded.isEmpty
    var results = SearchResults(
      hits: hits,
      total: total,
      hasExplanations: search.corpus.hasExplanations || !looksAtTexts
    )
    results.isByDate = query.days != nil || countsYear
    results.missingTexts = missingTexts
    for hit in hits where hit.field == .explanation && hit.snippet.isEmpty {
      results.missingTexts.append(hit.number)
    }
    return results
  }

  /// All hits, best first.
  mutating func ranked() -> [Candidate] {
    let filter = SearchFilter(search, query, question)
    var ranked: [Candidate]
    if query.words.isEmpty {
      ranked = filter.all()
    } else {
      scoreWords()
      ranked = rank(filter)
    }
    if let number = query.number, let direct = Comic.Number(number), search.archive.comic(direct) != nil,
      filter.admits(number)
    {
      ranked.removeAll { $0.number == Int32(number) }
      ranked.insert(Candidate(number: Int32(number), score: ranked.first?.score ?? 1), at: 0)
    }
    return ranked
  }

  // MARK: Words

  private mutating func scoreWords() {
    for concept in 0..<query.conceptCount {
      expansion.beginConcept()
      var isOptional = true
      var year: Int?
      for index in query.words.indices where query.words[index].concept == concept {
        let word = query.words[index]
        if query.words[..<index].contains(where: { $0.concept == concept && $0.bytes == word.bytes }) {
          continue
        }
        expand(index)
        if !word.isCompound { isOptional = false }
        if word.bytes.count == 4, let number = Text(word.bytes[...]).number, (2000...2100).contains(number) {
          year = number
        }
      }
      if expansion.variantPostings.isEmpty, isOptional {
        board.closeEmpty()
        continue
      }
      for found in expansion.variantPostings {
        let weight = expansion.variants.variants[found.variant].weight
        board.count(found.postings, in: expansion.part(of: found), weight: weight, titlesOnly: titlesOnly)
      }
      if let year, !titlesOnly {
        board.count(year: year)
        countsYear = true
      }
      board.close()
    }
  }

  /// Adds the terms that a word may mean.
  private mutating func expand(_ index: Int) {
    let word = query.words[index]
    let bytes = word.bytes
    let exact = expansion.insert(bytes[...], concept: word.concept, weight: 1)
    guard !word.isCompound else { return }
    let forms = expansion.insertForms(of: bytes, concept: word.concept, weight: 1)
    WordForms.visit(bytes) { form in expansion.insert(form, concept: word.concept, weight: ranking.irregular)
    }
    let isUnfinished = question.isTyping && word.isLast
    if isUnfinished { expansion.insertCompletions(of: bytes, concept: word.concept) }
    insertJoined(index)
    let known = exact + forms
    if exact == 0, forms > 0, !isUnfinished { correctForm(index) }
    guard known <= ranking.doubtedDocuments, !(isUnfinished && expansion.variantPostings.count > 0) else {
      return
    }
    // A word in a title is correct, however rare it is.
    if exact == 0 || !expansion.isInTitle(bytes[...]) { insertSpellings(index, known: known) }
  }

  /// Adds the compounds of the word and its neighbours.
  private mutating func insertJoined(_ index: Int) {
    let word = query.words[index]
    for (left, right) in [(index - 1, index), (index, index + 1)] where left >= 0 && right < query.words.count
    {
      let joined = query.words[left].bytes + query.words[right].bytes
      guard joined.count <= Tokenizer.longestWord else { continue }
      expansion.insert(joined[...], concept: word.concept, weight: ranking.joined)
    }
  }

  /// Adds likely spellings of a rare or unknown word.
  private mutating func insertSpellings(_ index: Int, known: Int) {
    let word = query.words[index]
    let limit = known > 0 || word.bytes.count < 6 ? 1 : 2
    let spellings = expansion.spellings(of: word.bytes, limit: limit)
    let factor = known > 0 ? ranking.doubted : 1
    for spelling in spellings where spelling.documents > known {
      let weight =
        factor * (spelling.distance == 1 ? ranking.misspelt : ranking.misspelt * ranking.misspelt)
        * (spelling.sharesFirst ? 1 : 0.5)
      expansion.insert(spelling.bytes[...], concept: word.concept, weight: weight)
      _ = expansion.insertForms(of: spelling.bytes, concept: word.concept, weight: weight)
    }
    if known == 0, spellings.first.map({ $0.distance > 1 }) ?? true, let parts = expansion.split(word.bytes) {
      expansion.insert(parts.left, concept: word.concept, weight: ranking.joined)
      expansion.insert(parts.right, concept: word.concept, weight: ranking.joined)
    }
    if let best = spellings.first, known == 0 || best.documents > 8 * known {
      corrections.append(Correction(range: word.range, bytes: best.bytes))
    }
  }

  /// Corrects an unknown word whose only form at distance one has the same length, such as "bobbi" for "bobby".
  ///
  /// Inflections change the length of a word, so this one is misspelled, although its form finds the comics.
  private mutating func correctForm(_ index: Int) {
    let word = query.words[index]
    guard let best = expansion.spellings(of: word.bytes, limit: 1).first, best.bytes.count == word.bytes.count
    else { return }
    var (typed, meant) = (word.bytes, best.bytes)
    Stemmer.reduce(&typed)
    Stemmer.reduce(&meant)
    if typed == meant { corrections.append(Correction(range: word.range, bytes: best.bytes)) }
  }

  // MARK: Ranking

  private mutating func rank(_ filter: SearchFilter) -> [Candidate] {
    var whole: Float = 0
    for worth in board.worths { whole += worth }
    guard whole > 0 else { return [] }
    var best: Float = 0
    var candidates: [Candidate] = []
    candidates.reserveCapacity(board.comics.count)
    for number in board.comics where filter.admits(Int(number)) {
      let covered = covered(Int(number), filter) / whole
      best = max(best, covered)
      let score = board.scores[Int(number)] * (1 - ranking.coverage + ranking.coverage * covered)
      candidates.append(Candidate(number: number, score: score))
    }
    candidates.removeAll { covered(Int($0.number), filter) < best * whole * ranking.noise }
    if titlesOnly { keepWholeTitles(in: &candidates, filter) }
    if filter.hasPhrases { keepPhrases(in: &candidates, filter) }
    let examined = Self.best(ranking.examined, of: &candidates)
    var matcher = TextMatcher(query, expansion.variants, worths: board.worths)
    var looked: [Candidate] = []
    for candidate in examined {
      looked.append(
        Candidate(number: candidate.number, score: candidate.score + bonus(candidate, &matcher, whole))
      )
    }
    self.matcher = matcher
    looked = Self.inOrder(looked)
    if ordered > looked.count { candidates = Self.inOrder(candidates) }
    return looked + candidates
  }

  /// Keeps the candidates whose titles have all words of the query.
  private func keepWholeTitles(in candidates: inout [Candidate], _ filter: SearchFilter) {
    // The parts of a compound are words, too.
    var required: UInt32 = 0
    for word in query.words where !word.isCompound { required |= 1 << UInt32(word.concept) }
    let unfinished = question.isTyping ? query.words.last.flatMap { $0.isLast ? $0 : nil } : nil
    let last: UInt32 = unfinished.map { 1 << UInt32($0.concept) } ?? 0
    candidates.removeAll { candidate in
      var concepts = board.concepts[Int(candidate.number)]
      if filter.hasAlternatives { concepts = filter.covered(concepts) }
      let missing = required & ~concepts
      guard missing != 0 else { return false }
      guard missing == last, let unfinished, let number = Comic.Number(Int(candidate.number)) else {
        return true
      }
      // A short beginning has more completions than were counted.
      return search.archive.comic(number).map { !hasWord(in: $0.title, from: unfinished.bytes) } ?? true
    }
  }

  private func hasWord(in text: Text, from beginning: [UInt8]) -> Bool {
    var tokenizer = Tokenizer(text)
    while tokenizer.next() {
      if tokenizer.word.starts(with: beginning) { return true }
    }
    return false
  }

  /// The worth of the query's concepts in a comic; one of several alternatives counts as all of them.
  private func covered(_ number: Int, _ filter: SearchFilter) -> Float {
    var covered = board.covered[number]
    guard filter.hasAlternatives else { return covered }
    let others = filter.covered(board.concepts[number]) & ~board.concepts[number]
    for concept in board.worths.indices where others & 1 << UInt32(concept) != 0 {
      covered += board.worths[concept]
    }
    return covered
  }

  /// Keeps the candidates that have the query's phrases: in their own texts or, if none has, in their explanations.
  private mutating func keepPhrases(in candidates: inout [Candidate], _ filter: SearchFilter) {
    var having: [Candidate] = []
    var unsure: [Candidate] = []
    for candidate in candidates {
      switch filter.hasPhrases(board.concepts[Int(candidate.number)]) {
      case true?: having.append(candidate)
      case false?: break
      case nil: unsure.append(candidate)
      }
    }
    var others: [Candidate] = []
    for candidate in Self.best(Self.mostRead, of: &unsure) {
      let slot = Int(candidate.number)
      if filter.hasPhrases(board.concepts[slot], inTextOf: slot) {
        having.append(candidate)
      } else if search.corpus.explanationOwners[slot] != 0 {
        others.append(candidate)
      }
    }
    if having.isEmpty, !titlesOnly {
      for candidate in others.prefix(Self.mostExplanationsRead) {
        let slot = Int(candidate.number)
        guard let number = Comic.Number(slot) else { continue }
        guard let text = explanation(number) else {
          missingTexts.append(number)
          continue
        }
        if filter.hasPhrases(board.concepts[slot], inTextOf: slot, or: text) { having.append(candidate) }
      }
    }
    candidates = having
  }

  private func bonus(_ candidate: Candidate, _ matcher: inout TextMatcher, _ whole: Float) -> Float {
    guard let number = Comic.Number(Int(candidate.number)), let comic = search.archive.comic(number) else {
      return 0
    }
    let findings = matcher.examine(comic, titlesOnly: titlesOnly)
    let titlePart = 1 - ranking.titlePart + ranking.titlePart * min(findings.worths.0 / whole, 1)
    let proximityPart = 1 - ranking.proximityPart + ranking.proximityPart * findings.proximityShare
    return ranking.proximity * proximityPart * findings.proximity
      + ranking.wholeTitle * titlePart * findings.titleShare * findings.worths.0
  }

  /// Removes the best candidates and returns them in order.
  private static func best(_ count: Int, of candidates: inout [Candidate]) -> [Candidate] {
    guard candidates.count > count else {
      let all = inOrder(candidates)
      candidates = []
      return all
    }
    // A heap whose top is the worst of the best so far.
    var heap = Array(candidates[..<count])
    for index in stride(from: count / 2, through: 0, by: -1) { sink(index, in: &heap) }
    for index in count..<candidates.count where isBetter(candidates[index], heap[0]) {
      swap(&heap[0], &candidates[index])
      sink(0, in: &heap)
    }
    candidates.removeSubrange(..<count)
    return inOrder(heap)
  }

  private static func sink(_ start: Int, in heap: inout [Candidate]) {
    var index = start
    while true {
      var worst = index
      for child in [2 * index + 1, 2 * index + 2] where child < heap.count {
        if isBetter(heap[worst], heap[child]) { worst = child }
      }
      guard worst != index else { return }
      heap.swapAt(worst, index)
      index = worst
    }
  }

  private static func inOrder(_ candidates: [Candidate]) -> [Candidate] {
    sortedIndices(candidates.count) { isBetter(candidates[$0], candidates[$1]) }.map { candidates[$0] }
  }

  /// Whether the first candidate has a greater score or, at equal scores, is older.
  private static func isBetter(_ left: Candidate, _ right: Candidate) -> Bool {
    left.score != right.score ? left.score > right.score : left.number < right.number
  }

  // MARK: Did you mean

  /// The query with its misspelled words corrected, if there are any.
  func meant() -> Text? {
    guard !corrections.isEmpty else { return nil }
    var bytes: [UInt8] = []
    var index = query.text.bytes.startIndex
    let order = sortedIndices(corrections.count) {
      corrections[$0].range.lowerBound < corrections[$1].range.lowerBound
    }
    for correction in order.map({ corrections[$0] }) {
      guard correction.range.lowerBound >= index else { continue }
      bytes.append(contentsOf: query.text.bytes[index..<correction.range.lowerBound])
      bytes.append(contentsOf: correction.bytes)
      index = correction.range.upperBound
    }
    bytes.append(contentsOf: query.text.bytes[index...])
    return Text(bytes)
  }
}
