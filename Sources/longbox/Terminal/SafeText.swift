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
