// Longbox
// SPDX-License-Identifier: MIT

/// What a hit must be besides having the words.
struct SearchFilter {
  private let search: Search
  private let query: SearchQuery
  private let options: SearchOptions
  private let days: ClosedRange<CalendarDate>?
  private let isTrivial: Bool

  /// The concepts of each phrase, a bit for each.
  private let phraseConcepts: [UInt32]

  /// Whether phrases are asked for.
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

  /// Whether no comic at all is a better answer than one without the phrase: somebody who says what must not be there
  /// means what they say, whereas others may quote from memory.
  var insists: Bool { !query.excluded.isEmpty }

  /// All comics that it admits, in order; none where it admits everything.
  func all() -> [SearchRun.Candidate] {
    guard !isTrivial else { return [] }
    var found: [SearchRun.Candidate] = []
    search.archive.visit { comic in
      if admits(comic) { found.append(SearchRun.Candidate(number: Int32(comic.rawNumber), score: 1)) }
      return true
    }
    return found
  }

  /// Whether a comic may be a hit.
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
  ///   - number: the comic's.
  ///   - concepts: the concepts that it has, a bit for each; its text is read only where they are those of a phrase.
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

  /// The days asked for; where no comic came out on a single one, the nearest day that has one.
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

  /// A number of days that grows with the date; months count 31, so that it is good for comparing only.
  private static func ordinal(_ date: CalendarDate) -> Int {
    (date.year * 12 + date.month) * 31 + date.day
  }
}

/// Finds words that stand side by side, forms of them being equal.
struct PhraseMatcher {
  private let words: [[UInt8]]
  /// Forms of a word begin with the same two bytes.
  private var filter = WordFilter.none

  init(_ words: [[UInt8]]) {
    for word in words { filter.insertForms(word[...]) }
    self.words = words.map { word in
      var stem = word
      Stemmer.reduce(&stem)
      return stem
    }
  }

  /// Whether a text has the words, one after another.
  func matches(_ text: Text) -> Bool {
    guard words.count > 0 else { return false }
    var tokenizer = Tokenizer(text)
    // The lengths of the beginnings of the phrase that end at the word before, as bits.
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
