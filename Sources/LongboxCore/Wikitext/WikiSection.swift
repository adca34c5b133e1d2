// Longbox
// SPDX-License-Identifier: MIT

/// A section of a page, identified by its heading.
struct WikiSection {
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
    let length = writer.parts.count
    for range in title {
      writer.open(.heading(level: 2))
      var inline = WikiInlineParser(source)
      inline.parse(range, into: &writer)
      inline.finish(into: &writer)
      writer.close()
    }
    let start = writer.parts.count
    writeContent(into: &writer)
    if writer.parts.count == start { writer.shorten(to: length, depth: writer.depth) }
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
