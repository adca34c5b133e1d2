// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import TestSupport
import Testing

@testable import longbox

@Suite("Text for terminals") struct SafeTextTests {
  @Test(arguments: [
    ("plain", "plain"), ("tab\tand\nline", "tab\tand\nline"), ("\u{1B}[31mred", "\u{FFFD}[31mred"),
    ("\u{9B}31m", "\u{FFFD}31m"), ("bell\u{7}", "bell\u{FFFD}"), ("a\r\nb", "a\nb"), ("\u{7F}", "\u{FFFD}"),
    ("\u{202E}txt", "\u{FFFD}txt"), ("née Ŝtrato 漫画 🟩", "née Ŝtrato 漫画 🟩"),
  ])
  func `has no control characters`(text: String, safe: String) {
    #expect(SafeText.lines(text) == safe)
  }

  @Test func `never has one, whatever comes`() {
    var random = SeededGenerator(seed: 353)
    for _ in 0..<2_000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        let value = UInt32.random(in: 0...0x2100, using: &random)
        if let scalar = Unicode.Scalar(value) { text.append(scalar) }
      }
      let safe = SafeText.lines(String(text))
      let escaped = SafeText.escapedJSON(String(text))
      for (result, name) in [(safe, "lines"), (escaped, "JSON")] {
        let controls = result.unicodeScalars.filter {
          $0.properties.generalCategory == .control && $0 != "\n" && $0 != "\t"
        }
        #expect(controls.isEmpty, "\(name)")
      }
      #expect(!SafeText.line(String(text)).contains("\n"))
    }
  }

  @Test func `is escaped in JSON`() {
    #expect(SafeText.escapedJSON("\"a\u{9B}\u{202E}\"") == #""a\u009b\u202e""#)
  }

  @Test(arguments: [
    (
      "notice: last=evil\u{1B}[2J\u{9B}31m\r\nforged\n",
      #"notice: last=evil\u001b[2J\u009b31m\u000d\u000aforged"#
    ),
    ("a\r\n", #"a\u000d"#), ("“née”\tŜ\n", "“née”\tŜ"), ("no end", "no end"),
  ])
  func `is escaped in the log, so that it can't forge lines`(text: String, logged: String) {
    let output = Mutex("")
    LogLines { line in output.withLock { $0 += String(decoding: line, as: UTF8.self) } }.write(text)
    #expect(output.withLock { $0 } == logged + "\n")
  }

  @Test(arguments: [
    ("one two three", 7, ["one two", "three"]), ("  one two", 6, ["  one", "  two"]),
    ("abcdefgh", 3, ["abc", "def", "gh"]), ("", 5, [""]),
    ("a\n\nb", 5, ["a", "", "b"]), ("漫画漫画", 5, ["漫画", "漫画"]),
    ("e\u{301}e\u{301}e\u{301}", 3, ["e\u{301}e\u{301}e\u{301}"]),
  ])
  func `is broken into lines that fit`(text: String, columns: Int, lines: [String]) {
    #expect(TextWrapping.wrapped(text, to: columns) == lines)
  }

  @Test func `fits any width`() {
    var random = SeededGenerator(seed: 12)
    for _ in 0..<500 {
      let letters = (0..<80).map { _ in ["a", "漫", " ", "é", "🟩", "\n"].randomElement(using: &random) ?? "a" }
      let columns = Int.random(in: 2...30, using: &random)
      let lines = TextWrapping.wrapped(letters.joined(), to: columns)
      #expect(lines.allSatisfy { TextWrapping.width(of: $0) <= columns })
      let kept = lines.joined().filter { !$0.isWhitespace }
      #expect(kept == letters.joined().filter { !$0.isWhitespace })
    }
  }

  @Test func `takes the window's size from the environment`() {
    // A file that is no terminal.
    let window = TerminalWindow(of: -1, environment: ["COLUMNS": "133", "LINES": "nonsense"])
    #expect(window.columns == 133)
    #expect(window.rows == 24)
  }
}
