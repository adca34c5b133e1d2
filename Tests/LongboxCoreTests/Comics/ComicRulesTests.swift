// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

struct ComicTitleTests {
  /// A title as sent, as shown, and a comic with a title like it.
  @Test(arguments: [
    ("Python", "Python", "most"),
    ("Clich&eacute;d Exchanges", "Clichéd Exchanges", "259"),
    ("<span style=\"color: #0000ED\">House</span> of Pancakes", "House of Pancakes", "472"),
    ("D&D Combinatorics", "D&D Combinatorics", "3015"),
    ("<City>-Style Pizza", "<City>-Style Pizza", "3142"),
    ("(", "(", "859"),
    ("A \u{FFFD}", "A \u{FFFD}", "1913"),
    ("\u{202E}LTR", "\u{202E}LTR", "1137"),
    ("The\u{2009}bacon", "The\u{2009}bacon", "1054"),
    ("a < b > c", "a < b > c", "none yet: a tag's name follows its bracket at once"),
    ("<i>Very</i> <B>bold</B>", "Very bold", "none yet"),
    ("<script>alert(1)</script>", "<script>alert(1)</script>", "none yet: text, escaped when shown"),
    ("<b", "<b", "none yet: cut"),
    ("<b <i>x", "<b x", "none yet: a tag in a tag"),
    ("AT&T; &unknown; &#233; &#xE9; &#0; &#x110000;", "AT&T; &unknown; é é &#0; &#x110000;", "none yet"),
    ("&amp;eacute;", "&eacute;", "none yet: decoded once only"),
    ("  spaces  ", "spaces", "none yet"),
    ("&", "&", "none yet"),
  ])
  func `are decoded for display`(raw: String, title: String, example: String) {
    #expect(ComicRules.title(Text(string: raw)).description == title, "like \(example)")
  }
}

struct ComicTranscriptTests {
  private static let alt = "I wrote 20 short programs in Python yesterday. It was wonderful."

  @Test(arguments: [
    "{{Title text: \(alt)}}", "{{title text: \(alt)}}", "{{Alt: \(alt)}}", "{{Alt-Text:\(alt)}}",
    "{{alt-title: \(alt)}}",
    "{{ \(alt)}}", "{{Alt\ntitle text: \(alt)}}", "{{title text - \(alt)}}",
    "{{Rollover text: something else}}",
    "{[title text: \(alt)}}", "{Title text: \(alt)}", "{{alt text: \(alt)", "{{Alt: \(alt)}",
    "alt text: \(alt)",
    "[[Title text: \(alt)]]", "{{Alt image tag: \(alt)}}", "{{Tooltip: \(alt)}}",
  ])
  func `lose the alt text that they repeat`(tail: String) throws {
    let raw = "[[A man flies.]]\nMan: I learned it last night!\n\(tail)\n"
    let transcript = ComicRules.transcript(
      Text(string: raw),
      of: try #require(Comic.Number(353)),
      alt: Text(string: Self.alt)
    )
    #expect(transcript.description == "[[A man flies.]]\nMan: I learned it last night!")
  }

  @Test(arguments: [
    "{{Alt Text: \(alt)}}\nMan: Hello.", "{{Title text: \(alt)}}\n\nMan: Hello.",
    "Man: Hello.\n{{title text: \(alt)}}\n{{Footnote: A note.}}",
    "{{Title text: \(alt)\n[[A man.]]\nMan: Hello.",
  ])
  func `lose the alt text wherever it stands`(raw: String) throws {
    let transcript = ComicRules.transcript(
      Text(string: raw),
      of: try #require(Comic.Number(353)),
      alt: Text(string: Self.alt)
    )
    #expect(transcript.description.contains("Man: Hello."))
    #expect(!transcript.description.contains("20 short programs"))
    #expect(transcript.description.contains("A note.") == raw.contains("A note."))
  }

  @Test(arguments: [
    ("[[Guy standing]] Guy: I promise.", "[[Guy standing]]\nGuy: I promise."),
    ("Guy [[waving]]: Hello. <<click>>", "Guy (waving): Hello. (click)"),
    ("<<boom>> <<bang>>[[Smoke]]", "<<boom>>\n<<bang>>\n[[Smoke]]"),
    ("[[A list:\nOne\n\nTwo]]\nGuy: Hm.", "[[A list:]]\n[[One]]\n[[Two]]\nGuy: Hm."),
    ("[[A box goes <<boom>> [again].]]", "[[A box goes boom (again).]]"),
    ("[[A man\n[[A woman]]", "[[A man]]\n[[A woman]]"),
    ("[[A man]\nGuy: Hm.", "[[A man]]\nGuy: Hm."),
    ("[[A man}}\nGuy: Hm.", "[[A man]]\nGuy: Hm."),
    ("<<whirr\n<thud>>", "<<whirr>>\n<<thud>>"),
    ("{{Author's Comment: Oh.}}\n{{One\nTwo}}", "Author's Comment: Oh.\nOne\nTwo"),
    (">>> print 1 << 2\na[1[2]]", ">>> print 1 << 2\na[1[2]]"),
  ])
  func `have their notation in one form`(raw: String, expected: String) throws {
    let transcript = ComicRules.transcript(
      Text(string: raw),
      of: try #require(Comic.Number(102)),
      alt: .empty
    )
    #expect(transcript.description == expected)
  }

  @Test(arguments: [
    ("Boy: 9\n11 happened.", "Boy: 9/11 happened.", "Boy: 9/11 happened."),
    ("He said s\nhe left\nNow.", "s/he left", "He said s/he left\nNow."),
    ("One\nTwo", "Three / Four", "One\nTwo"),
    ("ships \nboats", "ships / boats", "ships / boats"),
    ("See http:\nxkcd.com\n8\nMan: Hm.", "", "See http://xkcd.com/8\nMan: Hm."),
  ])
  func `have lost slashes back`(raw: String, wiki: String, expected: String) throws {
    let transcript = ComicRules.transcript(
      Text(string: raw),
      of: try #require(Comic.Number(102)),
      alt: .empty,
      comparedWith: Text(string: wiki)
    )
    #expect(transcript.description == expected)
  }

  @Test(arguments: [
    ("clich&eacute;s & D&D", 9, "clichés & D&D"),
    ("<A>: Like </a>this.&nbsp;&lt;", 9, "<A>: Like </a>this.&nbsp;&lt;"),
    ("x/6n⬜🟩n⬜", 2576, "x/6\n⬜🟩\n⬜"), ("x/6n⬜🟩n⬜", 9, "x/6n⬜🟩n⬜"),
  ])
  func `go with an alt text whose letters are decoded`(raw: String, number: Int, expected: String) throws {
    #expect(ComicRules.alt(Text(string: raw), of: try #require(Comic.Number(number))).description == expected)
  }

  @Test(arguments: [
    ("[[A man flies.]]\nMan: {{whispering}} Hello.", "[[A man flies.]]\nMan: whispering Hello."),
    ("{{Title: Back to the Future}}\nMan: Hello.", "Title: Back to the Future\nMan: Hello."),
    ("Man: Hello.\n{{Each word has 11 bits.}}", "Man: Hello.\nEach word has 11 bits."),
    ("{{Title: Names}}", "Title: Names"), ("Man: Alternatively: no.", "Man: Alternatively: no."), ("", ""),
    ("<<BOOM>>\n((A note.))", "<<BOOM>>\n((A note.))"),
  ])
  func `keep other text at their end`(raw: String, expected: String) throws {
    let transcript = ComicRules.transcript(
      Text(string: raw),
      of: try #require(Comic.Number(102)),
      alt: Text(string: Self.alt)
    )
    #expect(transcript.description == expected)
  }

  @Test(arguments: [581, 1609, 1611, 1663, 1677, 3282])
  func `are dropped where they belong to another comic`(value: Int) throws {
    let number = try #require(Comic.Number(value))
    #expect(ComicRules.transcript("Someone: Something.", of: number, alt: .empty).isEmpty)
  }

  @Test(arguments: [1, 580, 582, 1608])
  func `are kept where they belong to the comic`(value: Int) throws {
    let number = try #require(Comic.Number(value))
    #expect(ComicRules.transcript("Someone: Something.", of: number, alt: .empty) == "Someone: Something.")
  }

  /// Text as sent and as repaired, and a comic with such text.
  @Test(arguments: [
    ("isn\u{E2}\u{80}\u{99}t", "isn’t", "971"),
    ("\u{C2}\u{A1}play", "¡play", "124"),
    ("Kryptonite\u{E2}\u{84}\u{A2}", "Kryptonite™", "124"),
    ("P\u{E2}\u{88}\u{A7}\u{AC}P", "P∧¬P", "704: a true ¬ follows"),
    ("Boy\u{AE} 7.3.8.1\u{C2}\u{BE}", "Boy® 7.3.8.1¾", "1638: true and broken mixed"),
    ("Dal\u{ED}", "Dalí", "2175: a true accent"),
    ("caf\u{E9}\u{A0}x", "café\u{A0}x", "a lead with too few continuations"),
    ("\u{C3}", "Ã", "a lead at the end"),
    ("\u{F0}\u{9F}\u{98}\u{80}", "😀", "four bytes"),
    ("\u{E0}\u{80}\u{80}", "\u{E0}€€", "overlong: not UTF-8, but Windows-1252"),
    ("one \u{96} two\u{85}", "one – two…", "718: Windows-1252 taken for C1 controls"),
    ("undefined \u{81}", "undefined ", "five bytes mean nothing"),
  ])
  func `have broken encodings repaired`(raw: String, repaired: String, example: String) throws {
    let transcript = ComicRules.transcript(
      Text(string: "x " + raw + " y"),
      of: try #require(Comic.Number(971)),
      alt: .empty
    )
    #expect(transcript.description == "x " + repaired + " y", "like \(example)")
  }
}

struct ComicLinkTests {
  @Test(arguments: [
    ("https://xkcd.com/657/large/", "https://xkcd.com/657/large/"),
    ("http://xkcd.com/geohashing", "http://xkcd.com/geohashing"),
    ("//xkcd.com/1506/", "https://xkcd.com/1506/"),
    ("", ""), ("//", ""), ("https://", ""), ("/1506/", ""),
    ("javascript:alert(1)", ""), ("JavaScript:alert(1)", ""), ("data:text/html,x", ""),
    ("https://example.org/ x", ""), ("https://example.org/\"onclick=\"x", ""), ("ftp://example.org/x", ""),
  ])
  func `have schemes http or https only`(raw: String, link: String) {
    #expect(ComicRules.link(Text(string: raw)).description == link)
  }

  @Test func `have a file name in a picture's address`() {
    #expect(ComicRules.pictureAddress("https://imgs.xkcd.com/comics/").isEmpty)
    #expect(ComicRules.pictureAddress("").isEmpty)
    #expect(
      ComicRules.pictureAddress("https://imgs.xkcd.com/comics/(.png") == "https://imgs.xkcd.com/comics/(.png"
    )
  }

  @Test(arguments: [(false, "x.png", false), (true, "x.png", true), (false, "", true), (true, "", true)])
  func `make a comic interactive by its extra parts or a missing picture`(
    extraParts: Bool,
    address: String,
    interactive: Bool
  ) {
    #expect(
      ComicRules.isInteractive(hasExtraParts: extraParts, pictureAddress: Text(string: address))
        == interactive
    )
  }
}
