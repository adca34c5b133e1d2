// Longbox
// SPDX-License-Identifier: MIT

/// Extracts the snippet of a comic's texts that shows why it was found.
struct SnippetMaker {
  /// The approximate length of a snippet in bytes.
  private static let length = 160
  /// The maximum number of matches at which an excerpt is tried.
  private static let mostStarts = 256

  private let variants: WordVariants
  /// The worth of each concept, by its index.
  private let worths: [Float]

  /// The texts already examined, which needn't be read again.
  private let matcher: TextMatcher?
  private let explanation: (Comic.Number) -> Text?

  init(
    _ variants: WordVariants,
    worths: [Float],
    matcher: TextMatcher?,
    explanation: @escaping (Comic.Number) -> Text?
  ) {
    self.variants = variants
    self.worths = worths
    self.matcher = matcher
    self.explanation = explanation
  }

  func hit(_ comic: ArchivedComic, score: Float, titlesOnly: Bool) -> SearchHit {
    let reading = matcher?.readings.first { $0.number == comic.rawNumber }
    let titleMatches = matches(in: comic.title, read: reading?.title)
    let start = comic.title.bytes.startIndex
    var hit = SearchHit(
      number: comic.number,
      score: score,
      field: .title,
      titleMarks: Self.marks(titleMatches, from: start),
      snippet: .empty,
      snippetField: .title,
      marks: [],
      isCutBefore: false,
      isCutAfter: false
    )
    guard !titlesOnly else { return hit }
    let altMatches = matches(in: comic.alt, read: reading?.alt)
    let transcriptMatches = matches(in: comic.transcript, read: reading?.transcript)
    let titleWorth = worth(titleMatches)
    let altWorth = worth(altMatches)
    let transcriptWorth = worth(transcriptMatches)
    // Even if the title alone matches all words, the best other text is shown.
    if altWorth == 0, transcriptWorth == 0 {
      if titleWorth == 0, !worths.isEmpty {
        hit.field = .explanation
        if let text = explanation(comic.number) {
          cut(text, .explanation, matches(in: text, read: nil), into: &hit)
        }
      }
      return hit
    }
    let isAlt = altWorth >= transcriptWorth
    let field = isAlt ? SearchHit.Field.alt : .transcript
    if max(altWorth, transcriptWorth) > titleWorth { hit.field = field }
    cut(isAlt ? comic.alt : comic.transcript, field, isAlt ? altMatches : transcriptMatches, into: &hit)
    return hit
  }

  private func matches(in text: Text, read: Range<Int>?) -> [TextMatch] {
    if let read, let matcher { return Array(matcher.matches[read]) }
    var found: [TextMatch] = []
    var tokenizer = Tokenizer(text)
    let filter = variants.filter
    while tokenizer.next(filter) {
      if tokenizer.isCompound { continue }
      let variant = variants.first(tokenizer.word)
      guard variant >= 0 else { continue }
      let match = variants.variants[variant]
      found.append(TextMatch(range: tokenizer.range, concept: Int(match.concept), weight: match.weight))
    }
    return found
  }

  private func worth(_ matches: [TextMatch]) -> Float { worth(matches[...]) }

  /// The total worth of the concepts in some matches, each counted once.
  private func worth(_ matches: ArraySlice<TextMatch>) -> Float {
    var seen: UInt32 = 0
    var sum: Float = 0
    for match in matches where seen & (1 << UInt32(match.concept)) == 0 {
      seen |= 1 << UInt32(match.concept)
      sum += worths[match.concept] * match.weight
    }
    return sum
  }

  /// Adds the best excerpt of a text to a hit.
  private func cut(
    _ text: Text,
    _ field: SearchHit.Field,
    _ matches: [TextMatch],
    into hit: inout SearchHit
  ) {
    guard !matches.isEmpty else { return }
    hit.snippetField = field
    let bytes = text.bytes
    var best = 0
    var most: Float = -1
    for first in matches.indices.prefix(Self.mostStarts) {
      let limit = matches[first].range.lowerBound + Self.length * 3 / 4
      var last = first
      while last + 1 < matches.count, matches[last + 1].range.upperBound <= limit { last += 1 }
      let worth = worth(matches[first...last])
      if worth > most {
        most = worth
        best = first
      }
    }
    var start = max(bytes.startIndex, matches[best].range.lowerBound - Self.length / 4)
    var end = min(bytes.endIndex, start + Self.length)
    start = max(bytes.startIndex, min(start, end - Self.length))
    if start > bytes.startIndex {
      while start < matches[best].range.lowerBound, !bytes[start - 1].isASCIISpace { start += 1 }
    }
    if end < bytes.endIndex {
      let least = max(start, matches[best].range.upperBound)
      end = max(end, least)
      while end > least, end < bytes.endIndex, !bytes[end].isASCIISpace { end -= 1 }
    }
    let piece = bytes[start..<end].trimmed()
    hit.snippet = Text(piece)
    hit.isCutBefore = piece.startIndex > bytes.startIndex
    hit.isCutAfter = piece.endIndex < bytes.endIndex
    hit.marks = Self.marks(
      matches.filter { $0.range.lowerBound >= piece.startIndex && $0.range.upperBound <= piece.endIndex },
      from: piece.startIndex
    )
    if field == .transcript { Self.removeBrackets(from: &hit) }
  }

  /// Removes the brackets around scenes and sounds (`[[...]]`, `{{...}}`), which an excerpt often splits.
  private static func removeBrackets(from hit: inout SearchHit) {
    let bytes = hit.snippet.bytes
    var kept: [UInt8] = []
    kept.reserveCapacity(bytes.count)
    // The number of bytes removed before each highlight.
    var taken = hit.marks.map { _ in 0 }
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let isPair = index + 1 < bytes.endIndex && bytes[index] == bytes[index + 1] && isBracket(bytes[index])
      guard isPair else {
        kept.append(bytes[index])
        index += 1
        continue
      }
      index += 2
      let offset = index - bytes.startIndex
      for mark in taken.indices where hit.marks[mark].lowerBound >= offset { taken[mark] += 2 }
    }
    guard kept.count < bytes.count else { return }
    hit.snippet = Text(kept)
    hit.marks = hit.marks.indices.map { mark in
      (hit.marks[mark].lowerBound - taken[mark])..<(hit.marks[mark].upperBound - taken[mark])
    }
  }

  private static func isBracket(_ byte: UInt8) -> Bool {
    byte == 0x5B || byte == 0x5D || byte == 0x7B || byte == 0x7D
  }

  private static func marks(_ matches: [TextMatch], from start: Int) -> [Range<Int>] {
    matches.map { ($0.range.lowerBound - start)..<($0.range.upperBound - start) }
  }
}
