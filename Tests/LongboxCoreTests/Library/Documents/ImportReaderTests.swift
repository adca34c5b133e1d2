// Longbox
// SPDX-License-Identifier: MIT

import Testing

@testable import LongboxCore

struct ImportReaderTests {
  @Test(arguments: [
    ("[353, 1053]", "bare numbers"),
    ("[\"353\", \"#1053\"]", "numbers as text"),
    ("[{\"num\": 353, \"title\": \"Python\"}, {\"num\": 1053}]", "xkcd's own name for it"),
    ("[{\"number\": 353}, {\"id\": \"1053\"}]", "other names"),
    ("{\"favorites\": [353, 1053], \"theme\": \"dark\"}", "an app's backup"),
    ("{\"favourites\": [{\"id\": 353}, 1053]}", "in British spelling"),
    ("\u{FEFF}\n [353,\n1053]", "behind a byte order mark"),
    ("353\n1053\n", "a number a line"),
    ("353 1053", "numbers in a row"),
    ("#353, #1053;", "with signs before and between"),
    ("353\r\n\r\n1053\r\n", "from Windows, with a gap"),
    ("353 - Python\n1053 - Ten Thousand", "with titles"),
    ("353 - 3 things\n1053: 10,000\n", "with numbers in titles"),
    ("num,title\n353,\"Python, explained\"\n1053,Ten Thousand", "a table"),
    ("#\n353\n1053", "a table without a word at its head"),
    ("number;title\n353;607\n1053;2038", "a table of titles that are numbers"),
    ("353,Python\n1053,Ten Thousand", "a table without a head"),
    ("353\tPython\n1053\tTen Thousand", "a table with tabs"),
    ("353. Python\n1053.", "with points"),
    ("353) Python\n#1053) Ten Thousand", "with brackets"),
    ("https://xkcd.com/353/\nhttp://www.XKCD.com/1053", "addresses"),
    (
      "1. https://m.xkcd.com/353/#top\n2. Ten Thousand, xkcd.com/1053/info.0.json",
      "numbered addresses with titles"
    ),
    (
      "https://www.explainxkcd.com/wiki/index.php/353:_Python explainxkcd.com/1053",
      "addresses of explain xkcd in a row"
    ),
    ("- [Python](https://xkcd.com/353/)\n- [Ten Thousand](https://xkcd.com/1053/)", "in Markdown"),
    (
      """
      <!DOCTYPE NETSCAPE-Bookmark-file-1>
      <H1>Bookmarks Menu</H1>
      <DL><p>
          <DT><A HREF="https://xkcd.com/353/" ICON_URI="https://xkcd.com/s/1.ico">xkcd: Python</A>
          <DT><A HREF="https://what-if.xkcd.com/7/">Everybody Out</A>
          <DT><A HREF="https://example.org/12/">12</A>
          <DT><A HREF="https://xkcd.com/1053/">xkcd.com/1053</A>
      </DL><p>
      """, "a browser's bookmarks"
    ),
    ("\u{FEFF}\u{FEFF}353\r\n\u{FEFF}1053", "of joined files with a byte order mark each"),
  ])
  func `is accepted in the formats that other apps write`(text: String, why: String) throws {
    let document = try ImportReader.document(in: Array(text.utf8))
    #expect(document.favorites.map(\.num) == [353, 1053], "\(why)")
    #expect(document.isList)
  }

  @Test(arguments: [
    ("353\nPython\n", "in line 2, “Python” is not the number of a comic"),
    ("353 Python 7", "in line 1, “353 Python 7”"),
    ("353, 7, x", "in line 1"),
    ("1.5", "in line 1"),
    ("https://what-if.xkcd.com/7/", "in line 1"),
    ("https://notxkcd.com/7/", "in line 1"),
    ("353\nx\n\ny", "2 lines have neither"),
    ("-1", "in line 1"),
    ("12345678901", "in line 1"),
    ("<html><body>Not found</body></html>", "in line 1"),
    ("353\n\nnum", "in line 3"),
    ("[353, 1053", "not whole JSON"),
    ("{\"favorites\": [1,]", "not whole JSON"),
    ("[353, true]", "entry 2"),
    ("[353, {\"title\": \"Python\"}]", "entry 2 has no num, number or id"),
    ("[353, {\"num\": \"x\"}]", "entry 2"),
    ("[353.5]", "entry 1"),
    ("{\"comics\": [353]}", "neither a library"),
    ("{\"format\": \"other-app\", \"favorites\": [1]}", "neither a library"),
    (
      "{\"format\": \"longbox-library\", \"version\": 2, \"favorites\": {}}",
      "version 2, which a newer Longbox wrote"
    ),
    ("{\"format\": \"longbox-library\", \"favorites\": []}", "the file has no “version”"),
    ("{\"format\": \"longbox-library\", \"version\": 0}", "version has to be 1"),
    (
      "{\"format\": \"longbox-library\", \"version\": 1, \"favorites\": [{\"num\": 1}, {\"num\": 404}]}",
      "favorites, entry 2 names no comic: 404"
    ),
    (
      "{\"format\": \"longbox-library\", \"version\": 1, \"favorites\": [{\"note\": \"x\"}]}",
      "favorites, entry 1 has no “num”"
    ),
    (
      "{\"format\": \"longbox-library\", \"version\": 1, \"favorites\": [{\"num\": 1, \"added\": \"soon\"}]}",
      "“soon” is not a time"
    ),
    (
      "{\"format\": \"longbox-library\", \"version\": 1, \"favorites\": [{\"num\": 1, \"note\": \"\(String(repeating: "x", count: 1501))\"}]}",
      "more than 500 characters"
    ),
    (
      "{\"format\": \"longbox-library\", \"version\": 1, \"read\": [{\"from\": 5, \"to\": 4}]}",
      "read, entry 1"
    ),
    (
      "{\"format\": \"longbox-library\", \"version\": 1, \"read\": [{\"from\": 1, \"to\": 4}, {\"from\": 4, \"to\": 9}]}",
      "read, entry 2"
    ),
    (
      "{\"format\": \"longbox-library\", \"version\": 1, \"read\": [{\"from\": 2, \"to\": 999999}]}",
      "read has more than 10000"
    ),
    (
      "{\"format\": \"longbox-library\", \"version\": 1, \"settings\": {\"a b\": \"x\"}}",
      "settings has a name"
    ),
    (
      "{\"format\": \"longbox-library\", \"version\": 1, \"place\": {\"num\": 0, \"time\": \"2026-01-01T00:00:00Z\"}}",
      "place names no comic"
    ),
    (
      "{\"format\": \"longbox-library\", \"version\": 1, \"saved\": [{\"kind\": \"a/b\", \"name\": \"x\", \"value\": \"\"}]}",
      "saved, entry 1"
    ),
    (
      "{\"format\": \"longbox-library\", \"version\": 1, \"saved\": [{\"kind\": \"a\", \"name\": \"x\"}]}",
      "saved, entry 1"
    ),
    ("[\(String(repeating: "1,", count: 10_000))1]", "favorites has more than 10000 entries"),
    ("a\0b", "no text in UTF-8"),
  ])
  func `is rejected with the reason and the place`(text: String, said: String) {
    do {
      let document = try ImportReader.document(in: Array(text.utf8))
      Issue.record("\(text.prefix(80)) was taken as \(document)")
    } catch {
      #expect(error.description.contains(said), "\(error)")
      #expect(error.description.hasPrefix("Nothing was imported"))
    }
  }

  @Test(arguments: [false, true]) func `may be in UTF-16`(isLittleEndian: Bool) throws {
    for text in ["353 - Pythön 🐍\r\n1053", "[353, {\"num\": 1053, \"title\": \"🐍\"}]"] {
      let bytes = "\u{FEFF}\(text)".utf16.flatMap { unit in
        let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
        return isLittleEndian ? [low, high] : [high, low]
      }
      #expect(try ImportReader.document(in: bytes).favorites.map(\.num) == [353, 1053])
    }
  }

  @Test func `is rejected with all lines that name no comic, and the numbers of the others`() throws {
    let error = #expect(throws: ImportError.self) {
      try ImportReader.document(in: Array("353. Python\nfive\n\n1053\nxkcd.com\n7".utf8))
    }
    guard case .unreadLines(let lines, let others)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(lines.shown.map(\.number) == [2, 5] && lines.count == 2)
    #expect(lines.shown.map(\.sentence) == ["Line 2: “five”", "Line 5: “xkcd.com”"])
    #expect(others == [353, 1053, 7])
    #expect(try ImportReader.document(of: others).favorites.map(\.num) == others)
    let many = Array(String(repeating: "x\n", count: 300).utf8)
    let all = #expect(throws: ImportError.self) { try ImportReader.document(in: many) }
    guard case .unreadLines(let lines, _)? = all else { return }
    #expect(lines.count == 300 && lines.shown.count == 200)
  }

  @Test(
    arguments: [
      [0xFF, 0xFE, 0x33], [0xFF, 0xFE, 0x00, 0xD8], [0xFE, 0xFF, 0xDC, 0x00],
      [0xFE, 0xFF, 0xD8, 0x00, 0x00, 0x33],
      [0x89, 0x50, 0x4E, 0x47], [0x33, 0xC3], [0x33, 0x00],
    ] as [[UInt8]]
  )
  func `must be text`(bytes: [UInt8]) {
    #expect(throws: ImportError.notText) { try ImportReader.document(in: bytes) }
  }

  @Test(arguments: ["7", "1,", "1\n"])
  func `is rejected if it is longer than any list of comics`(part: String) {
    let long = [UInt8](String(repeating: part, count: LibraryDocument.lengthLimit / part.utf8.count).utf8)
    #expect(throws: ImportError.listTooLong) { try ImportReader.document(in: long) }
  }

  @Test func `may be as long as the limit`() throws {
    let list = Array("353\n1053".utf8)
    let longest = list + [UInt8](repeating: UInt8(ascii: " "), count: NumberList.lengthLimit - list.count)
    #expect(try ImportReader.document(in: longest).favorites.map(\.num) == [353, 1053])
    #expect(throws: ImportError.listTooLong) { try ImportReader.document(in: longest + Array(" ".utf8)) }
  }

  @Test func `with bookmarks may be as long as any file`() throws {
    let icon = [UInt8](repeating: UInt8(ascii: "A"), count: NumberList.lengthLimit)
    let start = Array("<DL><DT><A HREF=\"https://example.org/\" ICON=\"".utf8)
    let other = start + icon + Array("\">a site</A>".utf8)
    let bookmarks = other + Array("<DT><A HREF=\"https://xkcd.com/353/\">Python</A></DL>".utf8)
    #expect(try ImportReader.document(in: bookmarks).favorites.map(\.num) == [353])
    #expect(throws: ImportError.noAddress) { try ImportReader.document(in: other) }
  }

  /// Deep nesting must not overflow the stack.
  @Test func `with deep nesting is rejected without a crash`() {
    let deep = Array(String(repeating: "[", count: 100_000).utf8)
    #expect(throws: ImportError.self) { try ImportReader.document(in: deep) }
    let object = Array(String(repeating: "{\"favorites\":", count: 50_000).utf8)
    #expect(throws: ImportError.self) { try ImportReader.document(in: object) }
  }
}
