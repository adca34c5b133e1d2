// Longbox
// SPDX-License-Identifier: MIT

/// Makes text from elsewhere safe for a terminal.
///
/// Titles, transcripts and explanations come from the network. A terminal obeys control characters: they could move the
/// cursor, change the window's title, or make the terminal type text that the shell then runs. So all output goes
/// through this type.
enum SafeText {
  /// The text with a replacement character for each control character but the end of a line and the tabulator.
  ///
  /// It replaces C0, DEL and C1 (ISO/IEC 6429), and the characters that change the direction of text, because they could
  /// make a line look different from its content.
  static func lines(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    var safe = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where scalar != "\r" {
      safe.append(isUnsafe(scalar) ? "\u{FFFD}" : scalar)
    }
    return String(safe)
  }

  /// The same in one line.
  static func line(_ text: String) -> String {
    lines(text).split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// JSON with the same characters escaped; it may have them in strings.
  static func escapedJSON(_ json: String) -> String { escaped(json, where: isUnsafe) }

  /// A line with the same characters escaped, and ends of lines as well.
  static func escapedLine(_ line: String) -> String { escaped(line) { isUnsafe($0) || $0 == "\n" } }

  /// A text with some characters as `\u001b`; none of them may be above U+FFFF.
  private static func escaped(_ text: String, where isEscaped: (Unicode.Scalar) -> Bool) -> String {
    guard text.unicodeScalars.contains(where: isEscaped) else { return text }
    return text.unicodeScalars.reduce(into: "") { text, scalar in
      guard isEscaped(scalar) else { return text.unicodeScalars.append(scalar) }
      let digits = String(scalar.value, radix: 16)
      text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

/// Breaks text into lines that fit a terminal.
enum TextWrapping {
  /// Breaks lines at spaces; a word that is longer than a line is cut.
  /// - Parameters:
  ///   - text: the text, which may have several lines.
  ///   - columns: how many cells a line has, at least 1.
  ///   - indent: what precedes each line.
  static func wrapped(_ text: String, to columns: Int, indent: String = "") -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      // A line's own indent is repeated for all its parts, unless it takes most of the width.
      let own = String(line.prefix { $0 == " " })
      let start = (indent + own).count * 2 < columns ? indent + own : ""
      let room = max(columns - start.count, 1)
      return broken(line, to: room).map { $0.isEmpty ? "" : start + $0 }
    }
  }

  private static func broken(_ line: Substring, to room: Int) -> [String] {
    var lines: [String] = []
    var current = ""
    var width = 0
    func end() {
      lines.append(current)
      (current, width) = ("", 0)
    }
    for word in line.split(separator: " ") {
      let length = Self.width(of: word)
      if width > 0, width + 1 + length > room { end() }
      if width > 0 {
        current += " "
        width += 1
      }
      for letter in word {
        let cells = Self.width(of: letter)
        if width > 0, width + cells > room { end() }
        current.append(letter)
        width += cells
      }
    }
    end()
    return lines
  }

  /// How many cells a text takes.
  static func width(of text: some StringProtocol) -> Int {
    text.reduce(0) { $0 + width(of: $1) }
  }

  /// How many cells a character takes: two for East Asian and emoji, else one.
  private static func width(of letter: Character) -> Int {
    guard let scalar = letter.unicodeScalars.first else { return 0 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF,
      0x20000...0x3FFFD:
      return 2
    default: return scalar.properties.generalCategory == .nonspacingMark ? 0 : 1
    }
  }
}
