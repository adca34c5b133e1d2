// Longbox
// SPDX-License-Identifier: MIT

/// A page of explain xkcd about one comic, parsed from its wikitext.
///
/// The server parses it when it arrives; devices get only the results. The time is linear in the length of
/// any input.
public struct WikiPage: Equatable, Sendable {
  /// The limits for reading and storing a page, in bytes.
  public struct Limits: Equatable, Sendable {
    /// The maximum wikitext that is read; the longest page so far, 1608, has 272,884.
    public var wikitext = 1 << 20
    /// The maximum explanation.
    public var explanation = 1 << 19
    /// The maximum transcript; the longest that xkcd sent has 15,905.
    public var transcript = 32 << 10
    /// The maximum lead; a first sentence may be twice as long.
    public var lead = 400

    public init() {}
  }

  /// The first explanatory sentences as plain text; may be empty.
  public let lead: Text
  /// The lead with its links.
  public let linkedLead: WikiDocument
  /// The explanation and later sections such as trivia: everything except the transcript and the discussion.
  public let explanation: WikiDocument
  /// The transcript in the notation of ``ComicRules``: `[[scene]]`, `Speaker: words`, a line each.
  public let transcript: Text
  /// Who and what the comic is about, by the page's categories; each once, in their order.
  public let topics: [Topic]
  /// Whether the page is marked as incomplete, as in a comic's first days.
  public let isIncomplete: Bool
  /// Whether the explanation was cut at its limit.
  public let isExplanationCut: Bool

  /// Parses a page.
  /// - Parameters:
  ///   - wikitext: the page's text as MediaWiki stores it.
  ///   - year: the year in which it was written, which pages name by a template; nil if it isn't known.
  ///   - limits: the limits for reading and storing.
  public init(wikitext: Text, year: Int? = nil, limits: Limits = Limits()) {
    let source = Self.prefix(of: wikitext.bytes, limits.wikitext)
    let expansion = WikitextExpansion(Array(source), year: year.map { Text(decimal: $0) })
    let notes = expansion.notes.map { $0.content }
    let sections = WikiSection.sections(of: expansion.page, notes: notes)
    var explanation = WikiDocumentWriter(limit: limits.explanation, ownNumber: expansion.ownNumber)
    var transcript: ArraySlice<UInt8> = []
    var lead: WikiLead?
    for section in sections {
      switch section.kind {
      case .discussion: break
      case .transcript: transcript += section.transcript(counting: &explanation)
      case .introduction, .explanation, .other:
        section.write(into: &explanation)
        if section.kind == .explanation || lead == nil && section.kind == .introduction {
          let found = WikiLead(of: section.document(ownNumber: expansion.ownNumber), limit: limits.lead)
          if !found.text.isEmpty { lead = found }
        }
      }
    }
    WikiBlockParser.write(notes, into: &explanation)
    explanation.removeEmptyHeadings()
    isIncomplete = expansion.isIncomplete
    topics = Self.topics(of: expansion.categories)
    self.lead = lead?.text ?? .empty
    linkedLead = lead?.document ?? WikiDocument(parts: [])
    self.explanation = WikiDocument(parts: explanation.parts)
    isExplanationCut = explanation.isCut || source.count < wikitext.count
    self.transcript = Text(Self.prefix(of: transcript, limits.transcript).trimmed())
  }

  private static func topics(of categories: [[UInt8]]) -> [Topic] {
    var topics: [Topic] = []
    for category in categories where topics.count < Topic.mostOfComic {
      guard let topic = Topic(category: category) else { continue }
      let key = topic.key
      if !topics.contains(where: { $0.key == key }) { topics.append(topic) }
    }
    return topics
  }

  /// The beginning of a text, cut between two characters and, if one is near, at a line break.
  static func prefix(of bytes: ArraySlice<UInt8>, _ limit: Int) -> ArraySlice<UInt8> {
    guard bytes.count > limit else { return bytes }
    var kept = bytes.prefix(limit)
    let line = kept.suffix(2000).lastIndex(of: 0x0A)
    if let line { return kept[..<line] }
    // A continuation byte follows, so drop the whole character.
    while !kept.isEmpty, bytes[kept.endIndex] & 0xC0 == 0x80 { kept.removeLast() }
    return kept
  }
}

/// A section of a page, identified by its heading.
private struct WikiSection {
  enum Kind: Equatable {
    /// The text before the first heading.
    case introduction
    case explanation
    case transcript
    case discussion
    case other
  }

  let kind: Kind
  /// The heading, if it is shown.
  private let title: [Range<Int>]
  private let source: [UInt8]
  private let notes: [[UInt8]]
  private let lines: [Range<Int>]

  /// Splits an expanded page into sections.
  ///
  /// A section starts at a heading of level 1 or 2, or at a lower one with the name of a standard section.
  /// The first section that is neither transcript nor discussion is the explanation, regardless of its name
  /// ("Eggsplanation", 2408).
  static func sections(of page: [UInt8], notes: [[UInt8]] = []) -> [WikiSection] {
    var sections: [WikiSection] = []
    var kind = Kind.introduction
    var title: [Range<Int>] = []
    var lines: [Range<Int>] = []
    var explains = false
    func end() {
      explains = explains || kind == .explanation
      sections.append(WikiSection(kind: kind, title: title, source: page, notes: notes, lines: lines))
    }
    for line in WikiBlockParser.lines(of: page, 0..<page.count) {
      guard let (level, range) = WikiBlockParser.heading(page, line) else {
        lines.append(line)
        continue
      }
      let named = Self.kind(of: page[range])
      guard level <= 2 || named != .other else {
        lines.append(line)
        continue
      }
      end()
      kind = named == .other && !explains && !Self.isAside(page[range]) ? .explanation : named
      title = kind == .explanation && !explains ? [] : [range]
      lines = []
    }
    end()
    return sections
  }

  private static func kind(of title: ArraySlice<UInt8>) -> Kind {
    let name = title.filter { $0 != WikiMarker.removedTag }.map { $0.lowercasedASCII }
    if name.starts(with: ("transcript" as StaticString).utf8Bytes) { return .transcript }
    if ("explanation" as StaticString).isEqual(to: name) { return .explanation }
    if ("discussion" as StaticString).isEqual(to: name) { return .discussion }
    return .other
  }

  /// Whether a section is supplementary, not the explanation.
  private static func isAside(_ title: ArraySlice<UInt8>) -> Bool {
    let name = title.map { $0.lowercasedASCII }
    return (["trivia", "references", "notes", "external links", "see also"] as [StaticString]).contains {
      $0.isEqual(to: name)
    }
  }

  func document(ownNumber: Int?) -> WikiDocument {
    var writer = WikiDocumentWriter(limit: 1 << 16, ownNumber: ownNumber)
    writeContent(into: &writer)
    return WikiDocument(parts: writer.parts)
  }

  /// Appends the section to a document; nothing if it is empty.
  func write(into writer: inout WikiDocumentWriter) {
    for range in title {
      writer.open(.heading(level: 2))
      var inline = WikiInlineParser(source)
      inline.parse(range, into: &writer)
      inline.finish(into: &writer)
      writer.close()
    }
    writeContent(into: &writer)
    writer.removeEmptyHeadings(from: 2, at: writer.depth)
  }

  private func writeContent(into writer: inout WikiDocumentWriter) {
    var parser = WikiBlockParser(source, notes: notes)
    parser.parse(lines, into: &writer)
  }

  /// The transcript, whose links without text count too.
  func transcript(counting explanation: inout WikiDocumentWriter) -> [UInt8] {
    var writer = WikiDocumentWriter(limit: 1 << 20, linkCount: explanation.linkCount)
    writeContent(into: &writer)
    explanation.continueCount(after: writer)
    return WikiTranscript.text(of: WikiDocument(parts: writer.parts))
  }
}

/// Converts a page's transcript to the notation of xkcd's own transcripts.
private enum WikiTranscript {
  /// The lines of a section: `[A man flies.]` becomes `[[A man flies.]]`; speech stays unchanged.
  static func text(of section: WikiDocument) -> [UInt8] {
    var transcript: [UInt8] = []
    var plain = WikiPlainText(keepsSubpages: true)
    for part in section.parts { plain.add(part) }
    for line in plain.finish().split(separator: 0x0A) {
      let line = line.trimmed()
      guard !line.isEmpty else { continue }
      if let scene = scene(line) {
        let scene = withoutEditorsNotes(scene)
        guard !scene.isEmpty else { continue }
        transcript += ("[[" as StaticString).utf8Bytes
        // Nested brackets would end the scene early.
        for byte in scene {
          switch byte {
          case UInt8(ascii: "["): transcript.append(UInt8(ascii: "("))
          case UInt8(ascii: "]"): transcript.append(UInt8(ascii: ")"))
          default: transcript.append(byte)
          }
        }
        transcript += ("]]" as StaticString).utf8Bytes
      } else {
        transcript += line
      }
      transcript.append(0x0A)
    }
    return transcript
  }

  /// A scene without the sentences of the wiki's editors about their transcript itself, except those that say where
  /// the rest is.
  private static func withoutEditorsNotes(_ scene: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard mentionsTranscript(scene) else { return scene }
    var kept: [UInt8] = []
    var sentence = scene.prefix(0)
    for index in scene.indices {
      sentence = scene[sentence.startIndex...index]
      let isEnd = scene[index].isASCIISpace && endsSentence(scene[index - (index > scene.startIndex ? 1 : 0)])
      guard isEnd || index == scene.endIndex - 1 else { continue }
      let hasAddress = sentence.firstIndex(of: ("https://" as StaticString).utf8Bytes, from: 0) != nil
      if hasAddress || !mentionsTranscript(sentence) { kept += sentence }
      sentence = scene[(index + 1)..<(index + 1)]
    }
    return kept[...].trimmed()
  }

  private static func endsSentence(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ".") || byte == UInt8(ascii: "!") || byte == UInt8(ascii: "?")
  }

  /// Whether a text has the word "transcript" or "transcripts".
  private static func mentionsTranscript(_ text: ArraySlice<UInt8>) -> Bool {
    text.split { !$0.isASCIILetter }.contains { word in
      let word = word.map { $0.lowercasedASCII }
      return word == ("transcript" as StaticString).utf8Bytes
        || word == ("transcripts" as StaticString).utf8Bytes
    }
  }

  /// The text in the brackets if they enclose the whole line, or nil.
  private static func scene(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard line.count > 2, line.first == UInt8(ascii: "["), line.last == UInt8(ascii: "]") else { return nil }
    var depth = 0
    for (offset, byte) in line.enumerated() {
      if byte == UInt8(ascii: "[") { depth += 1 }
      if byte == UInt8(ascii: "]") { depth -= 1 }
      if depth == 0, offset < line.count - 1 { return nil }
    }
    return depth == 0 ? line.dropFirst().dropLast().trimmed() : nil
  }
}
