// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

@testable import LongboxPages

struct EscapingTests {
  /// Text from a source that tries to break out of an element or attribute.
  static let hostile: [(text: String, escaped: String)] = [
    ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
    (#""><img src=x onerror=alert(1)>"#, "&quot;&gt;&lt;img src=x onerror=alert(1)&gt;"),
    ("' onmouseover='x", "&#39; onmouseover=&#39;x"),
    ("</title></head>", "&lt;/title&gt;&lt;/head&gt;"),
    ("<!-- <b>", "&lt;!-- &lt;b&gt;"),
    ("&lt;b&gt; &amp;", "&amp;lt;b&amp;gt; &amp;amp;"),
    ("a\u{0}b", "a\u{FFFD}b"),
    ("\u{202E}RTL", "\u{202E}RTL"),
    ("D&D <City>", "D&amp;D &lt;City&gt;"),
  ]

  @Test(arguments: hostile)
  func `text is escaped`(text: String, escaped: String) {
    #expect(HTML(Text(string: text)).description == escaped)
    // Marks of direction would turn round what follows, and an attribute can't isolate them.
    let attribute = escaped.filter { $0 != "\u{202E}" }
    #expect(Attribute.alt(Text(string: text)).bytes == Array(" alt=\"\(attribute)\"".utf8))
  }

  @Test(arguments: hostile)
  func `text from a source is escaped everywhere`(text: String, escaped: String) throws {
    let archive = try Fixtures.archive(
      upTo: 2,
      changing: [
        1: { comic in
          comic.title = Text(string: text)
          comic.alt = Text(string: text)
          comic.transcript = Text(string: "\(text)\nMan: \(text)\n[[\(text)]]")
          comic.link = Text(string: "https://example.org/\(text)")
        }
      ]
    )
    for path in ["/1/", "/comics"] as [Text] {
      let page = respond(to: Request(path: path), archive: archive).text
      #expect(page.contains(escaped))
      for part in ["<script>", "<img src=x", "</title></head></title>", "<b>", "<City"] {
        #expect(!page.contains(part), "\(part)")
      }
      #expect(Markup(page).faults == [])
    }
  }

  @Test(arguments: hostile)
  func `text that a reader types is escaped`(text: String, escaped: String) throws {
    let encoded = text.utf8.map { byte in
      let digits = String(byte, radix: 16)
      return "%" + (digits.count < 2 ? "0" : "") + digits
    }
    let request = Request(path: "/go", query: Text(string: "number=" + encoded.joined()))
    let response = respond(to: request, archive: try Fixtures.archive(upTo: 2))
    #expect(response.status == 400)
    #expect(response.text.contains(#"value="\#(escaped)""#))
    #expect(response.text.contains("“\(escaped)” is not a number."))
    #expect(Markup(response.text).faults == [])
  }

  @Test func `text that a reader types and that isn't UTF-8 is shown with marks`() throws {
    let request = Request(path: "/search", query: "q=a%FFb")
    let response = respond(to: request, archive: try Fixtures.archive(upTo: 2))
    let page = try #require(String(validating: response.body, as: UTF8.self))
    #expect(page.contains(#"value="a\#u{FFFD}b""#))
  }

  @Test func `a title that reverses the text direction does not affect other text`() throws {
    let archive = try Fixtures.archive(upTo: 1, changing: [1: { comic in comic.title = "\u{202E}LTR" }])
    let page = respond(to: Request(path: "/1/"), archive: archive).text
    #expect(page.contains("<h1><bdi>\u{202E}LTR</bdi></h1>"))
  }
}
