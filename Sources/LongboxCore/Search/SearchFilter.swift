// Longbox
// SPDX-License-Identifier: MIT

/// The conditions for a hit besides the words.
struct SearchFilter {
  /// A phrase of the query, with its alternatives.
  private struct Phrase {
    var matcher: PhraseMatcher
    /// The group of alternatives that it belongs to.
    var group: Int
    /// The concepts of its words, as bits.
    var concepts: UInt32
    /// The concepts of the words that `OR` joins to it, as bits.
    var alternatives: UInt32
    /// The concepts of its whole group, as bits.
    var whole: UInt32

    /// Whether a comic with these concepts may have the phrase.
    func isPossible(_ concepts: UInt32) -> Bool { concepts & self.concepts == self.concepts }
  }

  private let search: Search
  private let query: SearchQuery
  private let question: SearchQuestion
  private let days: ClosedRange<CalendarDate>?
  private let isTrivial: Bool

  private let phrases: [Phrase]
  private let excluded: [PhraseMatcher]
  /// The comics with each topic of the query.
  private let topics: [(comics: ComicSet, isExcluded: Bool)]

  let hasPhrases: Bool
  /// Whether `OR` joins a phrase to another phrase or a word.
  let hasAlternatives: Bool

  init(_ search: Search, _ query: SearchQuery, _ question: SearchQuestion) {
    self.search = search
    self.query = query
    self.question = question
    days = query.days.map { Self.nearest(to: $0, in: search.archive) }
    phrases = query.phrases.map { phrase in
      let group = query.words.filter { $0.group == phrase.group }
      // A word that is still being typed is in no text yet.
      let isUnfinished = question.isTyping && query.words[phrase.indices].last?.isLast == true
      return Phrase(
        matcher: PhraseMatcher(isUnfinished ? phrase.words.dropLast() : phrase.words),
        group: phrase.group,
        concepts: Self.concepts(of: query.words[phrase.indices].dropLast(isUnfinished ? 1 : 0)),
        alternatives: Self.concepts(of: group.filter { !$0.isInPhrase }),
        whole: Self.concepts(of: group)
      )
    }
    hasPhrases = !phrases.isEmpty
    hasAlternatives = phrases.contains { $0.alternatives != 0 || $0.whole != $0.concepts }
    excluded = query.excluded.map { PhraseMatcher($0) }
    topics = query.topics.map { (search.archive.comics(about: $0.name), $0.isExcluded) }
    isTrivial =
      topics.isEmpty && days == nil && query.numbers == nil && query.predicates.isEmpty
      && query.excluded.isEmpty
  }

  /// The concepts of words, as bits.
  private static func concepts(of words: some Sequence<SearchQuery.Word>) -> UInt32 {
    var concepts: UInt32 = 0
    for word in words where !word.isCompound { concepts |= 1 << UInt32(word.concept) }
    return concepts
  }

  /// All comics that pass, in order; empty if everything passes.
  func all() -> [SearchRun.Candidate] {
    guard !isTrivial else { return [] }
    var found: [SearchRun.Candidate] = []
    search.archive.visit { comic in
      if admits(comic) { found.append(SearchRun.Candidate(number: Int32(comic.rawNumber), score: 1)) }
      return true
    }
    return found
  }

  func admits(_ number: Int) -> Bool {
    if isTrivial { return true }
    guard let number = Comic.Number(number), let comic = search.archive.comic(number) else { return false }
    return admits(comic)
  }

  private func admits(_ comic: ArchivedComic) -> Bool {
    if let numbers = query.numbers, !numbers.contains(comic.rawNumber) { return false }
    if let days {
      guard let date = comic.date, days.contains(date) else { return false }
    }
    for topic in topics where topic.comics.contains(comic.number) == topic.isExcluded { return false }
    for predicate in query.predicates {
      let holds =
        switch predicate {
        case .favorite: question.favorites.contains(comic.number)
        case .read: question.read.contains(comic.number)
        case .unread: !question.read.contains(comic.number)
        case .interactive: comic.isInteractive
        }
      guard holds else { return false }
    }
    for words in excluded where has(words, comic) { return false }
    return true
  }

  /// The concepts that count as present in a comic, as bits: all of a group if it has one alternative.
  /// - Parameter concepts: the comic's concepts, as bits.
  func covered(_ concepts: UInt32) -> UInt32 {
    var covered = concepts
    for phrase in phrases where concepts & phrase.alternatives != 0 || phrase.isPossible(concepts) {
      covered |= phrase.whole
    }
    return covered
  }

  /// Whether a comic has an alternative of each group with phrases; nil if that depends on its text.
  /// - Parameter concepts: the comic's concepts, as bits.
  func hasPhrases(_ concepts: UInt32) -> Bool? {
    if hasAlternatives, satisfies(concepts, { _ in false }) { return true }
    let isPossible = satisfies(concepts) { _ in true }
    return isPossible ? nil : false
  }

  /// Whether a comic has an alternative of each group with phrases; reads its text.
  /// - Parameters:
  ///   - concepts: the comic's concepts, as bits.
  ///   - number: the comic's number.
  ///   - explanation: the comic's explanation, if that is to be read, too.
  func hasPhrases(_ concepts: UInt32, inTextOf number: Int, or explanation: Text = .empty) -> Bool {
    guard let number = Comic.Number(number), let comic = search.archive.comic(number) else { return false }
    return satisfies(concepts) { has($0, comic) || !explanation.isEmpty && $0.matches(explanation) }
  }

  /// Whether each group with phrases has an alternative that matches.
  /// - Parameters:
  ///   - concepts: the comic's concepts, as bits.
  ///   - isInText: whether the comic's text has a phrase whose words it has.
  private func satisfies(_ concepts: UInt32, _ isInText: (PhraseMatcher) -> Bool) -> Bool {
    var group: Int?
    var isFound = true
    for phrase in phrases {
      if phrase.group != group {
        guard isFound else { return false }
        group = phrase.group
        isFound = concepts & phrase.alternatives != 0
      }
      if !isFound { isFound = phrase.isPossible(concepts) && isInText(phrase.matcher) }
    }
    return isFound
  }

  private func has(_ words: PhraseMatcher, _ comic: ArchivedComic) -> Bool {
    words.matches(comic.title)
      || question.isDeep && (words.matches(comic.alt) || words.matches(comic.transcript))
  }

  /// The days asked for; if a single day has no comic, the nearest day that has one.
  private static func nearest(to days: ClosedRange<CalendarDate>, in archive: Archive) -> ClosedRange<
    CalendarDate
  > {
    guard days.lowerBound == days.upperBound else { return days }
    let wanted = ordinal(days.lowerBound)
    var best = days.lowerBound
    var least = Int.max
    archive.visit { comic in
      if let date = comic.date, abs(ordinal(date) - wanted) < least {
        least = abs(ordinal(date) - wanted)
        best = date
      }
      return least > 0
    }
    return best...best
  }

  /// A number that grows with the date, for comparisons only: every month counts 31 days.
  private static func ordinal(_ date: CalendarDate) -> Int {
    (date.year * 12 + date.month) * 31 + date.day
  }
}

/// Finds adjacent words; inflected forms are equal.
private struct PhraseMatcher {
  private let words: [[UInt8]]
  /// Filters by the first two bytes, which the forms of a word share.
  private var filter = WordFilter.none

  init(_ words: [[UInt8]]) {
    for word in words { filter.insertForms(word[...]) }
    self.words = words.map { word in
      var stem = word
      Stemmer.reduce(&stem)
      return stem
    }
  }

  /// Whether a text contains the words consecutively.
  func matches(_ text: Text) -> Bool {
    guard words.count > 0 else { return false }
    var tokenizer = Tokenizer(text)
    // The lengths of the phrase's prefixes that end at the previous word, as bits.
    var open: UInt64 = 0
    var last = -1
    var stem: [UInt8] = []
    while tokenizer.next(filter) {
      if tokenizer.isCompound { continue }
      if tokenizer.position != last + 1 { open = 0 }
      last = tokenizer.position
      stem.removeAll(keepingCapacity: true)
      stem.append(contentsOf: tokenizer.word)
      Stemmer.reduce(&stem)
      var next: UInt64 = 0
      for index in words.indices where index == 0 || open & (1 << UInt64(index)) != 0 {
        guard words[index] == stem else { continue }
        if index == words.count - 1 { return true }
        next |= 1 << UInt64(index + 1)
      }
      open = next
    }
    return false
  }
}
