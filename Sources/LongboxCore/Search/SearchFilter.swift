// Longbox
// SPDX-License-Identifier: MIT

/// The conditions for a hit besides the words.
struct SearchFilter {
  private let search: Search
  private let query: SearchQuery
  private let options: SearchOptions
  private let days: ClosedRange<CalendarDate>?
  private let isTrivial: Bool

  /// The concepts of each phrase, as bits.
  private let phraseConcepts: [UInt32]

  let hasPhrases: Bool

  init(_ search: Search, _ query: SearchQuery, _ options: SearchOptions) {
    self.search = search
    self.query = query
    self.options = options
    days = query.days.map { Self.nearest(to: $0, in: search.archive) }
    hasPhrases = !query.phrases.isEmpty
    phraseConcepts = query.phrases.map { phrase in
      var concepts: UInt32 = 0
      for word in query.words where phrase.words.contains(word.bytes) {
        concepts |= 1 << UInt32(word.concept)
      }
      return concepts
    }
    isTrivial =
      days == nil && query.numbers == nil && query.predicates.isEmpty && query.excluded.isEmpty
  }

  /// Whether a missing phrase means no hits.
  ///
  /// A query with exclusions is meant literally; other phrases may be misquoted from memory.
  var insists: Bool { !query.excluded.isEmpty }

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
    for predicate in query.predicates {
      let holds =
        switch predicate {
        case .favorite: options.isFavorite(comic.number)
        case .read: options.isRead(comic.number)
        case .unread: !options.isRead(comic.number)
        case .interactive: comic.isInteractive
        }
      guard holds else { return false }
    }
    for words in query.excluded where has(words, comic) { return false }
    return true
  }

  /// Whether a comic has one phrase of each group.
  /// - Parameters:
  ///   - number: the comic's number.
  ///   - concepts: the comic's concepts, as bits; its text is read only if they include those of a phrase.
  func hasPhrases(_ number: Int, having concepts: UInt32) -> Bool {
    guard let number = Comic.Number(number), let comic = search.archive.comic(number) else { return false }
    var group = 0
    var isFound = true
    for (index, phrase) in query.phrases.enumerated() {
      if phrase.group != group {
        guard isFound else { return false }
        group = phrase.group
        isFound = false
      }
      let mayHave = concepts & phraseConcepts[index] == phraseConcepts[index]
      if !isFound { isFound = mayHave && has(phrase.words, comic) }
    }
    return isFound
  }

  private func has(_ words: [[UInt8]], _ comic: ArchivedComic) -> Bool {
    let matcher = PhraseMatcher(words)
    return matcher.matches(comic.title)
      || options.isDeep && (matcher.matches(comic.alt) || matcher.matches(comic.transcript))
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
struct PhraseMatcher {
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
