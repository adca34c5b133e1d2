// Longbox
// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import LongboxCore

struct TokenizerTests {
  private static func words(_ text: Text) -> [String] {
    var tokenizer = Tokenizer(text)
    var words: [String] = []
    while tokenizer.next() { words.append(String(decoding: tokenizer.word, as: UTF8.self)) }
    return words
  }

  @Test(
    arguments: [
      ("", []), ("  \n", []), ("Hello, World!", ["hello", "world"]),
      ("C++ and C# but not +1", ["c++", "and", "c#", "but", "not", "1"]),
      ("404", ["404"]), ("E=mc²", ["e", "mc2", "e=mc2"]), ("a = b", ["a", "b"]), ("π", ["π"]),
      ("p<0.05.", ["p", "0.05"]),
      ("don't can’t I'm", ["dont", "cant", "im"]),
      ("Randall's box, dogs' boxes", ["randall", "box", "dogs", "boxes"]),
      ("hand-aligned", ["hand", "aligned"]),
      ("D&D at AT&T, salt&pepper", ["d&d", "at", "at&t", "salt", "pepper"]),
      ("Étude NAÏVE Ｆｕｌｌ ﬁne", ["etude", "naive", "full", "fine"]), ("e\u{301}tude", ["etude"]),
      ("zero\u{200B}width so\u{AD}ft", ["zero", "width", "soft"]), ("Straße Ærø", ["strasse", "aero"]),
      ("漫画😀", ["漫", "画", "😀"]), ("[[Scene]] {{alt}} <<BOOM>>", ["scene", "alt", "boom"]),
      ("½ of it", ["½", "of", "it"]),
      ("x=y=z", ["x", "y", "z", "x=y=z"]), ("'quoted'", ["quoted"]), ("1,000", ["1", "000"]),
      ("i++;", ["i++"]), ("10^36 x^2, 10³⁶", ["1036", "x2", "1036"]), ("e=mc^2", ["e", "mc2", "e=mc2"]),
      ("10^-9 10⁻⁹ ^_^ a ^ b ^c d^", ["10", "9", "10", "9", "a", "b", "c", "d"]),
    ] as [(String, [String])]
  )
  func `splits text into words`(text: String, expected: [String]) {
    #expect(Self.words(Text(string: text)) == expected)
  }

  @Test func `gives the range and position of each word`() {
    let text = Text(string: "Oh, Étude's e=mc²!")
    var tokenizer = Tokenizer(text)
    var found: [String] = []
    var positions: [Int] = []
    while tokenizer.next() {
      found.append(String(decoding: text.bytes[tokenizer.range], as: UTF8.self))
      positions.append(tokenizer.position)
    }
    #expect(found == ["Oh", "Étude's", "e", "mc²", "e=mc²"])
    #expect(positions == [0, 1, 2, 3, 3])
  }

  @Test func `cuts endless words`() {
    let words = Self.words(Text(string: "a" + String(repeating: "b", count: 5000) + " c"))
    #expect(words.map(\.utf8.count) == [Tokenizer.longestWord, 1])
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func `accepts any bytes, and counts the same words with and without a filter`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let alphabet = Array("abC'’.&+#^= 9é²😀\u{301}".utf8) + [0xC3, 0xFF, 0x80, 0xE2]
    let bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
      alphabet.randomElement(using: &random) ?? 0
    }
    var all = Tokenizer(Text(bytes))
    while all.next() {
      #expect(
        all.range.lowerBound >= 0 && all.range.upperBound <= bytes.count && !all.range.isEmpty,
        "seed \(seed)"
      )
      #expect(!all.word.isEmpty, "seed \(seed)")
    }
    var filtered = Tokenizer(Text(bytes))
    while filtered.next(.none) {}
    #expect(all.position == filtered.position, "seed \(seed)")
    #expect(all.letters == filtered.letters, "seed \(seed)")
  }
}
