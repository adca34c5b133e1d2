// Longbox
// SPDX-License-Identifier: MIT

/// A page of explain xkcd about one comic, read from its wikitext.
///
/// It is made where the wikitext arrives, never on a reader's device: what is kept of it are its parts. The time
/// is linear in the length of the wikitext, whatever that holds.
public struct WikiPage: Equatable, Sendable {
  /// How much of a page is read and kept, in bytes.
  public struct Limits: Equatable, Sendable {
    /// The longest wikitext that is read; the longest page so far, 1608, has 272,884.
    public var wikitext = 1 << 20
    /// The longest explanation.
    public var explanation = 1 << 19
    /// The longest transcript; the longest that xkcd itself ever sent has 15,905.
    public var transcript = 32 << 10
    /// The longest lead.
    public var lead = 400

    /// The limits in force unless a test says otherwise.
    public init() {}
  }

  /// What the page's `{{comic}}` says.
  public let fields: WikiComicFields
  /// The first sentences that explain, as plain text; empty where the page explains nothing.
  public let lead: Text
  /// The explanation and what follows it, such as trivia: all but the transcript and the discussion.
  public let explanation: WikiDocument
  /// The transcript in the notation of ``ComicRules``' transcripts: `[[scene]]`, `Speaker: words`, a line each.
  public let transcript: Text
  /// Whether the page says of itself that it is not complete, as it does in a comic's first days.
  public let isIncomplete: Bool
  /// Whether the explanation is longer than is kept.
  public let isExplanationCut: Bool
  /// Whether the transcript is longer than is kept.
  public let isTranscriptCut: Bool

  /// Reads a page.
  /// - Parameters:
  ///   - wikitext: the page's text as MediaWiki stores it.
  ///   - limits: how much of it is read and kept.
  public init(wikitext: Text, limits: Limits = Limits()) {
    let source = Self.prefix(of: wikitext.bytes, limits.wikitext)
    let expansion = WikitextExpansion(Array(source))
    let sections = WikiSection.sections(of: expansion.page)
    var explanation = WikiDocumentWriter(limit: limits.explanation)
    var transcript: ArraySlice<UInt8> = []
    var lead = Text.empty
    for section in sections {
      switch section.kind {
      case .discussion: break
      case .transcript: transcript += section.transcript
      case .introduction, .explanation, .other:
        section.write(into: &explanation)
        if section.kind == .explanation || lead.isEmpty && section.kind == .introduction {
          let found = WikiLead.text(of: section.document, limit: limits.lead)
          if !found.isEmpty { lead = found }
        }
      }
    }
    Self.write(expansion.notes.map { $0.content }, into: &explanation)
    fields = expansion.fields
    isIncomplete = expansion.isIncomplete
    self.lead = lead
    self.explanation = WikiDocument(parts: explanation.parts)
    isExplanationCut = explanation.isCut || source.count < wikitext.count
    let kept = Self.prefix(of: transcript, limits.transcript)
    isTranscriptCut = kept.count < transcript.count
    self.transcript = Text(kept.trimmed())
  }

  /// The notes of the whole page, after its last section.
  private static func write(_ notes: [[UInt8]], into writer: inout WikiDocumentWriter) {
    guard !notes.isEmpty, !writer.isFull else { return }
    writer.open(.notes)
    for note in notes {
      writer.open(.note)
      var parser = WikiBlockParser(note)
      parser.parseBare(into: &writer)
      writer.close()
    }
    writer.close()
  }

  /// The beginning of a text, cut between two characters and, where one is near, between two lines.
  private static func prefix(of bytes: ArraySlice<UInt8>, _ limit: Int) -> ArraySlice<UInt8> {
    guard bytes.count > limit else { return bytes }
    var kept = bytes.prefix(limit)
    let line = kept.suffix(2000).lastIndex(of: 0x0A)
    if let line { return kept[..<line] }
    // A continuation byte follows: its character is cut off as a whole.
    while bytes.index(kept.startIndex, offsetBy: kept.count) < bytes.endIndex,
      bytes[kept.endIndex] & 0xC0 == 0x80, !kept.isEmpty
    {
      kept.removeLast()
    }
    return kept
  }
}
