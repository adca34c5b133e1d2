// Longbox
// SPDX-License-Identifier: MIT

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
