// Longbox
// SPDX-License-Identifier: MIT

/// The short text before an explanation: its first sentences that explain something.
struct WikiLead {
  /// A link in a text, by its bytes.
  private struct Link {
    var range: Range<Int>
    let element: WikiElement
  }

  /// The plain text of a paragraph, and its links.
  private struct Paragraph {
    let text: [UInt8]
    let links: [Link]

    /// Takes a text, and links by its indices.
    init(_ text: ArraySlice<UInt8>, _ links: [Link]) {
      self.text = Array(text)
      self.links = links.compactMap { link in
        guard text.startIndex <= link.range.lowerBound, link.range.upperBound <= text.endIndex else {
          return nil
        }
        let range = (link.range.lowerBound - text.startIndex)..<(link.range.upperBound - text.startIndex)
        return Link(range: range, element: link.element)
      }
    }
  }

  private var bytes: [UInt8] = []
  private var links: [Link] = []

  /// Chooses the lead of a section: whole sentences that stand alone.
  ///
  /// A first sentence may be twice as long as the limit. Longer ones are cut.
  init(of section: WikiDocument, limit: Int) {
    choose(from: Self.paragraphs(of: section), limit: limit)
    let chosen = bytes
    bytes = Self.finished(chosen)
    links.removeAll { link in
      link.range.upperBound > bytes.count || bytes[link.range] != chosen[link.range]
    }
  }

  var text: Text { Text(bytes) }

  /// The text with its links to comics and other sites.
  var document: WikiDocument {
    var writer = WikiDocumentWriter(limit: 1 << 16)
    var index = 0
    for link in links {
      writer.text(bytes[index..<link.range.lowerBound])
      writer.open(link.element)
      writer.text(bytes[link.range])
      writer.close()
      index = link.range.upperBound
    }
    writer.text(bytes[index...])
    return WikiDocument(parts: writer.parts)
  }

  private mutating func choose(from paragraphs: [Paragraph], limit: Int) {
    /// A sentence without much content, which the next one may need, and its paragraph.
    var skipped: (text: ArraySlice<UInt8>, paragraph: Paragraph)?
    for paragraph in paragraphs {
      // What follows a list belongs to the sentence before it.
      if bytes.last == UInt8(ascii: ":"), !Self.startsSentence(paragraph.text) { break }
      for sentence in Self.sentences(of: paragraph.text[...]) {
        if bytes.isEmpty, Self.isBoilerplate(sentence) {
          skipped = (sentence, paragraph)
          continue
        }
        if bytes.isEmpty, Self.isContinuation(sentence), let skipped,
          skipped.text.count + sentence.count < limit
        {
          add(skipped.text, of: skipped.paragraph)
        }
        let separator = bytes.isEmpty ? 0 : 1
        guard bytes.count + separator + sentence.count <= limit else {
          guard bytes.isEmpty else { return }
          add(sentence, of: paragraph)
          if sentence.count > 2 * limit { bytes = Self.cut(sentence, limit) }
          return
        }
        add(sentence, of: paragraph)
      }
      // A long enough paragraph is sufficient, unless it only introduces a list.
      if bytes.count >= limit / 3, bytes.last != UInt8(ascii: ":") { break }
    }
  }

  /// Adds a sentence with its links.
  private mutating func add(_ sentence: ArraySlice<UInt8>, of paragraph: Paragraph) {
    if !bytes.isEmpty { bytes.append(0x20) }
    let shift = bytes.count - sentence.startIndex
    bytes += sentence
    for link in paragraph.links
    where sentence.startIndex <= link.range.lowerBound && link.range.upperBound <= sentence.endIndex {
      let range = (link.range.lowerBound + shift)..<(link.range.upperBound + shift)
      links.append(Link(range: range, element: link.element))
    }
  }

  /// The lead without a last sentence that breaks off or introduces a list, unless that is all.
  private static func finished(_ lead: [UInt8]) -> [UInt8] {
    guard let last = lead.last, last.isASCIILetter || (":;," as StaticString).utf8Bytes.contains(last) else {
      return lead
    }
    let whole = sentences(of: lead[...]).dropLast().reduce(into: [UInt8]()) { whole, sentence in
      if !whole.isEmpty { whole.append(0x20) }
      whole += sentence
    }
    if let last = whole.last, last != UInt8(ascii: ":") { return whole }
    return (last.isASCIILetter ? lead : lead.dropLast()) + [UInt8(ascii: ".")]
  }

  private static func startsSentence(_ paragraph: [UInt8]) -> Bool {
    guard let first = paragraph.first else { return false }
    return !(0x61...0x7A).contains(first)
  }

  /// Whether a sentence starts with a word that refers to the one before.
  private static func isContinuation(_ sentence: ArraySlice<UInt8>) -> Bool {
    let word = sentence.prefix { $0.isASCIILetter }.map { $0.lowercasedASCII }
    return
      (["but", "and", "so", "or", "however", "then", "thus", "instead", "hence", "therefore", "also"]
      as [StaticString]).contains { $0.isEqual(to: word) }
  }

  /// The plain text of the section's top-level paragraphs, up to the first heading after one.
  private static func paragraphs(of section: WikiDocument) -> [Paragraph] {
    var paragraphs: [Paragraph] = []
    var plain = WikiPlainText(skipsRemarks: true)
    var open: [(element: WikiElement, start: Int)] = []
    var links: [Link] = []
    for part in section.parts {
      if case .open(let element) = part {
        if open.isEmpty {
          if case .heading = element, !paragraphs.isEmpty { return paragraphs }
          plain = WikiPlainText(skipsRemarks: true)
          links = []
        }
        open.append((element, plain.count))
      }
      if !open.isEmpty { plain.add(part == .lineBreak ? .text(" ") : part) }
      guard part == .close, let (element, start) = open.popLast() else { continue }
      if element.isOutwardLink, start < plain.count,
        // Raised text is rewritten when it ends.
        !open.contains(where: { $0.element == .raised || $0.element == .lowered })
      {
        links.append(Link(range: start..<plain.count, element: element))
      }
      if open.isEmpty, element == .paragraph {
        let text = plain.finish()
        if !text.isEmpty { paragraphs.append(Paragraph(text, links)) }
        if paragraphs.count == 8 { return paragraphs }
      }
    }
    return paragraphs
  }

  /// Splits a paragraph into sentences.
  ///
  /// A sentence ends before a space and a capital, digit or quote, but not after an abbreviation.
  static func sentences(of paragraph: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var sentences: [ArraySlice<UInt8>] = []
    var start = paragraph.startIndex
    var index = start
    while index < paragraph.endIndex {
      let byte = paragraph[index]
      index += 1
      guard byte == UInt8(ascii: ".") || byte == UInt8(ascii: "!") || byte == UInt8(ascii: "?") else {
        continue
      }
      var end = index
      while end < paragraph.endIndex, closes(paragraph, &end) {}
      guard end < paragraph.endIndex, paragraph[end] == 0x20 else {
        // All stops of a run have the same end.
        index = end
        continue
      }
      let next = end + 1 < paragraph.endIndex ? paragraph[end + 1] : 0
      let begins =
        (0x41...0x5A).contains(next) || next >= 0x80 || next.isASCIIDigit || next == UInt8(ascii: "\"")
        || next == UInt8(ascii: "(") || next == UInt8(ascii: "'")
      let isAbbreviation =
        byte == UInt8(ascii: ".") && end == index && endsWithAbbreviation(paragraph[start..<(index - 1)])
      guard begins, !isAbbreviation else {
        index = end
        continue
      }
      sentences.append(paragraph[start..<end])
      start = end + 1
      index = start
    }
    let rest = paragraph[min(start, paragraph.endIndex)...].trimmed()
    if !rest.isEmpty { sentences.append(rest) }
    return sentences
  }

  /// Steps over a quote or bracket that closes with the sentence.
  private static func closes(_ text: ArraySlice<UInt8>, _ index: inout Int) -> Bool {
    if [UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: ")"), UInt8(ascii: ".")].contains(text[index]) {
      index += 1
      return true
    }
    // U+201D and U+2019.
    if text[index...].starts(with: [0xE2, 0x80, 0x9D]) || text[index...].starts(with: [0xE2, 0x80, 0x99]) {
      index += 3
      return true
    }
    return false
  }

  private static func endsWithAbbreviation(_ text: ArraySlice<UInt8>) -> Bool {
    var start = text.endIndex
    while start > text.startIndex, !text[start - 1].isASCIISpace, text[start - 1] != UInt8(ascii: "(") {
      start -= 1
    }
    let word = text[start...]
    // An initial ("J. Watson"), or letters with stops between ("e.g", "U.S").
    if word.count == 1, (0x41...0x5A).contains(word[start]) { return true }
    if word.contains(UInt8(ascii: ".")), word.count <= 5 { return true }
    return abbreviations.contains { $0.isEqual(to: word) }
  }

  private static let abbreviations: [StaticString] = [
    "Mr", "Mrs", "Ms", "Dr", "Prof", "St", "vs", "etc", "cf", "ca", "approx", "No", "Jr", "Sr", "al", "lit",
    "Lt", "Gen",
    "Col", "Sgt", "Rev", "Inc", "Ltd", "Co", "fig", "Fig", "vol", "Vol", "ed", "Ed",
  ]

  /// Whether a sentence only names the comic's series, or points to other material.
  private static func isBoilerplate(_ sentence: ArraySlice<UInt8>) -> Bool {
    let words = sentence.prefix(600).map { $0.lowercasedASCII }
    func holds(_ phrases: [StaticString]) -> Bool {
      phrases.contains { words[...].firstIndex(of: $0.utf8Bytes, from: 0) != nil }
    }
    func begins(_ phrases: [StaticString]) -> Bool {
      phrases.contains { words.starts(with: $0.utf8Bytes) }
    }
    if begins(asides) { return true }
    guard begins(["this ", "the comic", "it ", "the previous", "the next", "another "]) else { return false }
    return holds(placings) && holds(["series", "comic", "strip"])
  }

  /// Starts of sentences that don't explain the joke.
  private static let asides: [StaticString] = [
    "note:", "note that this", "warning", "spoiler", "a larger version", "the larger version", "for the ",
    "see also",
    "the following explanation", "below is", "this page", "this explanation", "if you do not", "if you don't",
    "an animated version", "a transcript", "the original comic can", "please ",
  ]

  /// Phrases that place a comic in a series.
  private static let placings: [StaticString] = [
    " first in a", " first of ", " second of ", " third of ", " fourth of ", " fifth of ", "part of a ",
    "part of the ",
    "part of randall", "installment", "instalment", " in the series", " series of comics", " comic in a",
    " comic in the",
    " entry in ", "st comic", "nd comic", "rd comic", "th comic", "first comic", "second comic",
    "third comic",
    "fourth comic", "fifth comic", "sixth comic", "seventh comic", "eighth comic", "ninth comic",
    "tenth comic",
    " is one of the", " was one of the", "is another ", "in a series", "of a series", "of the series",
    " posted to ",
    "the previous ", "the next ", "was released on", "was published on", "comic is the first",
    "comic is the second",
    "comic is the third", "comic is the fourth", "comic is the fifth", "is the first comic", " series.",
    " series,",
  ]

  /// The beginning of a sentence that is too long, cut between words, with an ellipsis.
  private static func cut(_ sentence: ArraySlice<UInt8>, _ limit: Int) -> [UInt8] {
    let kept = sentence.prefix(max(0, limit - 3))
    let isWhole = kept.endIndex < sentence.endIndex && sentence[kept.endIndex] == 0x20
    let end = isWhole ? kept.endIndex : kept.lastIndex(of: 0x20) ?? kept.startIndex
    var words = kept[..<end]
    while let last = words.last, last == UInt8(ascii: ",") || last == 0x20 { words.removeLast() }
    return Array(words) + ("…" as StaticString).utf8Bytes
  }
}

extension WikiElement {
  /// Whether it is a link that also works on other pages.
  fileprivate var isOutwardLink: Bool {
    switch self {
    case .comic, .address: true
    default: false
    }
  }
}
