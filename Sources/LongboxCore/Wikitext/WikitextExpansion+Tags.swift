// Longbox
// SPDX-License-Identifier: MIT

extension WikitextExpansion {
  /// Tags whose content isn't wikitext; their content extends to the end tag.
  private static let verbatimTags: [StaticString] = [
    "nowiki", "pre", "math", "syntaxhighlight", "source", "gallery", "includeonly", "imagemap",
  ]

  /// The maximum length of a tag, in bytes.
  private static var tagLimit: Int { 800 }

  /// Reads a comment or tag; false if `<` is plain text.
  mutating func readTag() -> Bool {
    if source[index...].starts(with: ("<!--" as StaticString).utf8Bytes) {
      readComment()
      return true
    }
    guard let tag = Tag(source, at: index, limit: Self.tagLimit) else { return false }
    if let place = Self.verbatimTags.firstIndex(where: { $0.isEqual(to: tag.name) }) {
      return readVerbatim(tag, place)
    }
    return readInline(tag) || readBlock(tag)
  }

  /// Reads a comment; one alone on its line removes the line, as in MediaWiki.
  private mutating func readComment() {
    let end =
      find(("-->" as StaticString).utf8Bytes, after: index + 4, flag: 31).map { $0 + 3 } ?? source.count
    let isAlone = (top.bytes.last ?? 0x0A) == 0x0A && end < source.count && source[end] == 0x0A
    index = isAlone ? end + 1 : end
  }

  /// Finds a pattern; a failed search isn't repeated, so that the time stays linear.
  private mutating func find(_ pattern: [UInt8], after start: Int, flag: UInt32) -> Int? {
    guard unclosedTags & (1 << flag) == 0 else { return nil }
    var index = start
    while index <= source.count - pattern.count {
      var matched = 0
      while matched < pattern.count, source[index + matched].lowercasedASCII == pattern[matched] {
        matched += 1
      }
      if matched == pattern.count { return index }
      index += 1
    }
    unclosedTags |= 1 << flag
    return nil
  }

  private mutating func readVerbatim(_ tag: Tag, _ place: Int) -> Bool {
    if tag.isEnd || tag.isSelfClosing {
      index = tag.end
      return true
    }
    let closer = ("</" as StaticString).utf8Bytes + tag.name
    // An unclosed tag is removed and its content read as wikitext.
    guard let contentEnd = find(closer, after: tag.end, flag: UInt32(place)) else {
      index = tag.end
      return true
    }
    let content = source[tag.end..<contentEnd]
    switch place {
    case 0: appendLiteral(content)
    case 1, 3, 4:
      top.bytes.append(WikiMarker.preformattedStart)
      appendLiteral(content.first == 0x0A ? content.dropFirst() : content, keepingLines: true)
      top.bytes.append(WikiMarker.preformattedEnd)
    case 2:
      append(.code, isStart: true)
      appendLiteral(WikiFormula.text(content)[...])
      append(.code, isStart: false)
    case 5: appendCaptions(of: content)
    case 7: appendImageMap(content)
    default: break
    }
    index = contentEnd
    while index < source.count, source[index] != UInt8(ascii: ">") { index += 1 }
    index = min(index + 1, source.count)
    return true
  }

  /// Appends text without markup; entities are still decoded, as in MediaWiki.
  private mutating func appendLiteral(_ content: ArraySlice<UInt8>, keepingLines: Bool = false) {
    for byte in content where WikiMarker.isText(byte) {
      if byte == 0x0A, !keepingLines {
        top.bytes.append(0x20)
      } else {
        if WikiInlineParser.isMarkup(byte) || byte == 0x0A { top.bytes.append(WikiMarker.literal) }
        top.bytes.append(byte)
      }
    }
  }

  /// Converts a gallery to a list of its captions, which are separate wikitexts.
  private mutating func appendCaptions(of gallery: ArraySlice<UInt8>) {
    for line in gallery.split(separator: 0x0A) {
      let bar = line.firstIndex(of: UInt8(ascii: "|")) ?? line.endIndex
      let picture = line[..<bar].trimmed()
      guard !picture.isEmpty else { continue }
      top.bytes += [0x0A, UInt8(ascii: "*"), 0x20] + WikiLink.picture(picture)
      let caption = Array(line[bar...].dropFirst())
      // Captions contain links and templates but no gallery, so the recursion depth is one.
      if !caption.isEmpty {
        top.bytes.append(0x20)
        top.bytes += WikitextExpansion(caption.filter { $0 != UInt8(ascii: "<") }).page
      }
    }
    top.bytes.append(0x0A)
  }

  /// Converts an image map to its picture and a list of its links.
  private mutating func appendImageMap(_ map: ArraySlice<UInt8>) {
    let lines = map.split(separator: 0x0A)
    guard let picture = lines.first else { return }
    // As in a gallery; an image map has no further one.
    top.bytes +=
      WikitextExpansion(("[[" as StaticString).utf8Bytes + picture + ("]]" as StaticString).utf8Bytes).page
    for line in lines.dropFirst() {
      guard let start = line.firstIndex(of: UInt8(ascii: "[")) else { continue }
      top.bytes += [0x0A, UInt8(ascii: "*"), 0x20] + WikitextExpansion(Array(line[start...])).page
    }
    top.bytes.append(0x0A)
  }

  mutating func append(_ style: WikiStyle, isStart: Bool) {
    top.bytes.append(isStart ? WikiMarker.styleStart : WikiMarker.styleEnd)
    top.bytes.append(style.rawValue)
  }

  private mutating func readInline(_ tag: Tag) -> Bool {
    if let style = WikiStyle(tag: tag.name[...]) {
      append(style, isStart: !tag.isEnd)
    } else if Self.placeless.contains(where: { $0.isEqual(to: tag.name) }) {
      // Removed before the lines are read.
    } else if Self.transparent.contains(where: { $0.isEqual(to: tag.name) }) {
      // Colour and size are dropped.
      top.bytes.append(WikiMarker.removedTag)
    } else if ("references" as StaticString).isEqual(to: tag.name) {
      if !tag.isEnd { appendNotes() }
    } else if ("br" as StaticString).isEqual(to: tag.name) {
      top.bytes.append(WikiMarker.lineBreak)
    } else if ("q" as StaticString).isEqual(to: tag.name) {
      top.bytes += (tag.isEnd ? "”" as StaticString : "“").utf8Bytes
    } else if ("ref" as StaticString).isEqual(to: tag.name) {
      readNote(tag)
    } else {
      return false
    }
    index = tag.end
    return true
  }

  private static let transparent: [StaticString] = [
    "span", "font", "big", "abbr", "bdi", "bdo", "wbr", "ruby", "rb", "rt", "rp", "rtc", "time", "data",
    "mark",
  ]

  private static let placeless: [StaticString] = ["noinclude", "onlyinclude", "templatestyles"]

  /// Marks the place of the notes.
  mutating func appendNotes() {
    top.bytes += [0x0A, WikiMarker.notes, 0x0A]
  }

  private mutating func readNote(_ tag: Tag) {
    if tag.isEnd {
      guard unwind(to: { if case .note = $0 { true } else { false } }) else { return }
      let frame = frames.removeLast()
      guard case .note(let name) = frame.kind else { return }
      addNote(name, frame.bytes)
    } else if tag.isSelfClosing {
      addNote(tag.value(of: "name"), [])
    } else if frames.count < Self.depthLimit {
      push(.note(name: tag.value(of: "name")))
    }
  }

  /// Appends the mark of a note; a note with a known name keeps its number.
  private mutating func addNote(_ name: [UInt8], _ content: [UInt8]) {
    let index: Int
    if !name.isEmpty, let known = notes.firstIndex(where: { $0.name == name }) {
      index = known
      if notes[known].content.isEmpty { notes[known].content = content }
    } else {
      guard notes.count < Self.noteLimit, !name.isEmpty || !content.isEmpty else { return }
      notes.append((name, content))
      index = notes.count - 1
    }
    top.bytes.append(WikiMarker.reference)
    top.bytes += Text(index + 1, digits: 3).bytes
  }

  /// Converts HTML tables and lists to wikitext.
  private mutating func readBlock(_ tag: Tag) -> Bool {
    guard let block = Self.blocks.first(where: { $0.name.isEqual(to: tag.name) })?.block else { return false }
    index = tag.end
    switch block {
    case .box:
      top.bytes.append(tag.isEnd ? WikiMarker.lineBreak : WikiMarker.removedTag)
    case .list(let mark):
      if tag.isEnd {
        _ = htmlLists.popLast()
      } else if htmlLists.count < 8 {
        htmlLists.append(mark)
      }
      startLine()
    case .item:
      startLine()
      if !tag.isEnd { top.bytes += (htmlLists.isEmpty ? [UInt8(ascii: "*")] : htmlLists) + [0x20] }
    case .cell(let mark):
      startLine()
      guard !tag.isEnd else { break }
      // A tag may extend over lines; a cell's attributes may not.
      let attributes = tag.attributes.map { $0.isASCIISpace ? 0x20 : $0 }
      top.bytes += [mark, 0x20] + attributes + [UInt8(ascii: "|")]
    case .lines(let start, let end):
      startLine()
      top.bytes += (tag.isEnd ? end : start).utf8Bytes
    }
    return true
  }

  private mutating func startLine() {
    if let last = top.bytes.last, last != 0x0A { top.bytes.append(0x0A) }
  }

  /// The wikitext for an HTML tag.
  private enum Block {
    /// A line break.
    case box
    /// A list with an item mark.
    case list(UInt8)
    /// An item, with the marks of the open lists.
    case item
    /// A cell, with its attributes.
    case cell(UInt8)
    /// Lines that replace the start tag and the end tag.
    case lines(start: StaticString, end: StaticString)
  }

  private static let blocks: [(name: StaticString, block: Block)] = [
    ("td", .cell(UInt8(ascii: "|"))),
    ("th", .cell(UInt8(ascii: "!"))),
    ("div", .box),
    ("center", .box),
    ("tr", .lines(start: "|-\n", end: "")),
    ("table", .lines(start: "{|\n", end: "|}\n")),
    ("caption", .lines(start: "|+", end: "\n")),
    ("li", .item),
    ("ul", .list(UInt8(ascii: "*"))),
    ("ol", .list(UInt8(ascii: "#"))),
    ("blockquote", .lines(start: "\u{0E}\n", end: "\u{0F}\n")),
    ("p", .lines(start: "\n", end: "\n")),
    ("hr", .lines(start: "----\n", end: "----\n")),
    ("dl", .lines(start: "", end: "")),
    ("dt", .lines(start: ";", end: "\n")),
    ("dd", .lines(start: ":", end: "\n")),
    ("h1", .box),
    ("h2", .box),
    ("h3", .box),
    ("h4", .box),
    ("h5", .box),
    ("h6", .box),
  ]
}

extension WikitextExpansion {
  /// An HTML tag, supported by the wiki or not.
  private struct Tag {
    /// The name in lower case.
    let name: [UInt8]
    let isEnd: Bool
    let isSelfClosing: Bool
    /// The text between the name and the end.
    let attributes: ArraySlice<UInt8>
    /// The index after the tag.
    let end: Int

    /// Parses the tag that starts at an index, or nil.
    init?(_ source: [UInt8], at start: Int, limit: Int) {
      var index = start + 1
      let isEnd = index < source.count && source[index] == UInt8(ascii: "/")
      if isEnd { index += 1 }
      let nameStart = index
      while index < source.count, source[index].isASCIILetter || source[index].isASCIIDigit,
        index - nameStart < 20
      {
        index += 1
      }
      guard index > nameStart, source[nameStart].isASCIILetter else { return nil }
      name = source[nameStart..<index].map { $0.lowercasedASCII }
      let attributesStart = index
      let furthest = min(source.count, start + limit)
      while index < furthest, source[index] != UInt8(ascii: ">"), source[index] != UInt8(ascii: "<") {
        index += 1
      }
      guard index < furthest, source[index] == UInt8(ascii: ">") else { return nil }
      let isSelfClosing = source[index - 1] == UInt8(ascii: "/") && index > attributesStart
      let attributes = source[attributesStart..<(isSelfClosing ? index - 1 : index)]
      guard attributes.first.map({ $0.isASCIISpace }) ?? true else { return nil }
      self.isEnd = isEnd
      self.isSelfClosing = isSelfClosing
      self.attributes = attributes
      end = index + 1
    }

    /// The value of an attribute, or empty.
    func value(of attribute: StaticString) -> [UInt8] {
      WikiAttributes.value(of: attribute, in: attributes)
    }
  }
}

/// The attributes of tags and table cells.
enum WikiAttributes {
  /// The value of an attribute, quoted or not, or empty.
  static func value(of name: StaticString, in attributes: ArraySlice<UInt8>) -> [UInt8] {
    guard let start = attributes.firstIndex(of: name.utf8Bytes, from: attributes.startIndex) else {
      return []
    }
    var rest = attributes[(start + name.utf8CodeUnitCount)...].drop { $0.isASCIISpace }
    guard rest.first == UInt8(ascii: "=") else { return [] }
    rest = rest.dropFirst().drop { $0.isASCIISpace }
    guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return Array(rest.prefix { !$0.isASCIISpace })
    }
    return Array(rest.dropFirst().prefix { $0 != quote })
  }
}
