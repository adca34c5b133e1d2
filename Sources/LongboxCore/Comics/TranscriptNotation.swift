// Longbox
// SPDX-License-Identifier: MIT

/// The notation of xkcd's transcripts: `[[scene]]`, `<<sound>>` and `{{text}}`.
///
/// The records use it loosely: inside a line, over several lines, without the end. The result has scenes and sounds
/// on lines of their own, and parentheses around those inside a line of speech. Braces are dropped.
enum TranscriptNotation {
  /// The transcript in that form; takes linear time.
  static func normalized(_ transcript: ArraySlice<UInt8>) -> [UInt8] {
    var writer = Writer(transcript)
    return writer.text()
  }

  private struct Writer {
    private let source: ArraySlice<UInt8>
    private var index: Int
    private var lines: [UInt8] = []
    private var line: [UInt8] = []
    private var braces = 0
    /// Brackets known to have no end in the rest.
    private var unclosed: [UInt8] = []

    init(_ source: ArraySlice<UInt8>) {
      self.source = source
      index = source.startIndex
    }

    mutating func text() -> [UInt8] {
      while index < source.endIndex { step() }
      endLine()
      return lines
    }

    private mutating func step() {
      let byte = source[index]
      let isDoubled = index + 1 < source.endIndex && source[index + 1] == byte
      switch byte {
      case UInt8(ascii: "\n"):
        endLine()
        index += 1
      case UInt8(ascii: "[") where isDoubled: read(byte, UInt8(ascii: "]"))
      case UInt8(ascii: "<") where isDoubled: read(byte, UInt8(ascii: ">"))
      case UInt8(ascii: "<") where line.isEmpty && endsWithSound(): read(byte, UInt8(ascii: ">"), length: 1)
      case UInt8(ascii: "]") where isDoubled && !line.contains(UInt8(ascii: "[")):
        // The end of a scene that has no start.
        index += 2
      case UInt8(ascii: "{")
      where isDoubled || index + 1 < source.endIndex && source[index + 1] == UInt8(ascii: "["):
        braces += 1
        index += 2
      case UInt8(ascii: "}") where braces > 0 && isDoubled, UInt8(ascii: "]") where braces > 0 && isClosing():
        braces -= 1
        index += 2
        if line.isEmpty { skipSpaces() }
      case 0x20 where line.isEmpty: index += 1
      default:
        line.append(byte)
        index += 1
      }
    }

    private func isClosing() -> Bool {
      index + 1 < source.endIndex && source[index + 1] == UInt8(ascii: "}")
    }

    /// Whether the line ends with `>>`, though it starts with a single `<`.
    private func endsWithSound() -> Bool {
      let end = source[index...].firstIndex(of: UInt8(ascii: "\n")) ?? source.endIndex
      return source[index..<end].trimmed().suffix(2).elementsEqual((">>" as StaticString).utf8Bytes)
    }

    /// Reads a scene or a sound.
    private mutating func read(_ open: UInt8, _ close: UInt8, length: Int = 2) {
      let start = index + length
      guard let end = end(open, close, after: start) else {
        line.append(open)
        index += 1
        return
      }
      let content = source[start..<end]
      index = end
      while index < source.endIndex,
        source[index] == close || source[index] == UInt8(ascii: "}") && braces == 0
      {
        index += 1
      }
      let isLabel = index < source.endIndex && source[index] == UInt8(ascii: ":")
      if line.isEmpty, !isLabel || content.contains(UInt8(ascii: "\n")) {
        for part in content.split(separator: UInt8(ascii: "\n")) { appendLine(part, open, close) }
        skipSpaces()
      } else {
        if let last = line.last, last != 0x20 { line.append(0x20) }
        line.append(UInt8(ascii: "("))
        line += Self.plain(content).map { $0 == UInt8(ascii: "\n") ? 0x20 : $0 }
        line.append(UInt8(ascii: ")"))
        if index < source.endIndex, source[index].isASCIILetter { line.append(0x20) }
      }
    }

    /// The end of a scene's or sound's content; nil if the brackets are text.
    private mutating func end(_ open: UInt8, _ close: UInt8, after start: Int) -> Int? {
      let isScene = open == UInt8(ascii: "[")
      guard start < source.endIndex, isScene || !source[start].isASCIISpace else { return nil }
      var lineEnd: Int?
      var index = start
      while index < source.endIndex, lineEnd == nil || !unclosed.contains(open) {
        let isDoubled = index + 1 < source.endIndex && source[index + 1] == source[index]
        if source[index] == UInt8(ascii: "\n") {
          lineEnd = lineEnd ?? index
          if !isScene, isDoubled || !line.isEmpty || endsSound(before: index) { break }
        }
        if isDoubled, source[index] == close { return index }
        if isDoubled, source[index] == open { break }
        index += 1
      }
      if index == source.endIndex { unclosed.append(open) }
      // Without the end, only a line that starts with a scene or sound is one.
      let end = lineEnd ?? index
      let rest = source[start..<end]
      if let single = rest.lastIndex(of: close), isScene || single == rest.trimmed().indices.last {
        return single
      }
      guard line.isEmpty else { return nil }
      return start + rest.count - rest.reversed().prefix { $0 == UInt8(ascii: "}") && braces == 0 }.count
    }

    /// Whether a sound ends at a line break: by a single bracket, or because the next line has one.
    private func endsSound(before lineBreak: Int) -> Bool {
      source[lineBreak - 1] == UInt8(ascii: ">")
        || lineBreak + 1 < source.endIndex
          && (source[lineBreak + 1] == UInt8(ascii: "<") || source[lineBreak + 1] == UInt8(ascii: "["))
    }

    /// Appends a scene or sound as a line; brackets inside it would end it early.
    private mutating func appendLine(_ content: ArraySlice<UInt8>, _ open: UInt8, _ close: UInt8) {
      let content = Self.plain(content)[...].trimmed()
      guard !content.isEmpty else { return }
      lines += [open, open] + content + [close, close, UInt8(ascii: "\n")]
    }

    /// The content without the brackets of a sound inside a scene, and with parentheses for single brackets.
    private static func plain(_ content: ArraySlice<UInt8>) -> [UInt8] {
      var plain: [UInt8] = []
      for index in content.indices {
        let byte = content[index]
        switch byte {
        case UInt8(ascii: "["): plain.append(UInt8(ascii: "("))
        case UInt8(ascii: "]"): plain.append(UInt8(ascii: ")"))
        case UInt8(ascii: "<"), UInt8(ascii: ">"):
          let isDoubled = index + 1 < content.endIndex && content[index + 1] == byte
          let isSecond = index > content.startIndex && content[index - 1] == byte
          if !isDoubled, !isSecond { plain.append(byte) }
        default: plain.append(byte)
        }
      }
      return plain
    }

    private mutating func skipSpaces() {
      while index < source.endIndex, source[index] == 0x20 { index += 1 }
      if index < source.endIndex, source[index] == UInt8(ascii: "\n") { index += 1 }
    }

    private mutating func endLine() {
      while line.last == 0x20 { line.removeLast() }
      lines += line
      lines.append(UInt8(ascii: "\n"))
      line.removeAll(keepingCapacity: true)
    }
  }
}
