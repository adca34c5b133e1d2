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

    /// Creates the default limits.
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
