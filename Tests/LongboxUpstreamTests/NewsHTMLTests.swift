// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import TestSupport
import Testing

@testable import LongboxUpstream

@Suite("News HTML") struct NewsHTMLTests {
  /// The words, with each link as `[words](address)`.
  private func read(_ html: String) -> String {
    NewsHTML.news(html).runs.map { run in
      run.address.isEmpty ? "\(run.words)" : "[\(run.words)](\(run.address))"
    }
    .joined()
  }

  /// Made-up news, each odd as the recorded one of the comic in its comment.
  @Test(arguments: [
    ("", ""),
    (" \n", ""),
    ("Click to see it whole.", "Click to see it whole."),
    ("One.<br />Two.<br/>\n<br>Three", "One.\nTwo.\nThree"),
    ("<br />Thanks!<br>", "Thanks!"),  // 1738
    ("By <a href=\"https://a.example/\">A</a>.", "By [A](https://a.example/)."),
    (
      "By <a href=http://a.example/\">A</a>, <a href=\"https://b.example/\">B</a>",
      "By [A](http://a.example/), [B](https://b.example/)"
    ),  // 2288
    ("<a href=\"/18/\">Eighteen</a>", "[Eighteen](/18/)"),  // 1830
    (
      "<a href=\"https://xkcd.com/18\">18</a> <a href=\"http://www.xkcd.com/19/\">19</a>",
      "[18](/18/) [19](/19/)"
    ),
    ("<a href=\"/18_large/\">large</a>", "[large](https://xkcd.com/18_large/)"),
    ("<a href=\"//a.example/x\">A</a>", "[A](https://a.example/x)"),
    ("<a href=\"https://a.example/?b=1&node=2\">A</a> B", "[A](https://a.example/?b=1&node=2) B"),  // 488
    ("10<sup>17</sup> seconds, the 4<sup>th</sup>", "10¹⁷ seconds, the 4th"),  // 1047
    ("I <em>can't</em> <b>tell</b>", "I can't tell"),
    ("<div id=\"x\">Book—out now</div><br />Today's", "Book—out now\nToday's"),  // 2957
    ("<p>By <a href=\"/about\">a <b>friend", "By [a friend](https://xkcd.com/about)"),
    ("a <a href=\"https://b.example/\"> b </a> c", "a [b](https://b.example/) c"),
    ("5 < 6 & 7 > 3", "5 < 6 & 7 > 3"),
    ("caf&eacute; – naïve 😀", "café – naïve 😀"),
  ])
  func `becomes words, lines and links`(html: String, expected: String) {
    #expect(read(html) == expected)
  }

  /// Input that tries to do harm.
  @Test(arguments: [
    ("<script>alert(1)</script>x", "x"),
    ("<style>*{}</style>x<!-- y --><?php z ?>", "x"),
    ("<a href=\"javascript:alert(1)\">x</a>", "x"),
    ("<a href=\" JaVaScRiPt:alert(1)\">x</a>", "x"),
    ("<a href=\"&#106;avascript:alert(1)\">x</a>", "x"),
    ("<a href=\"data:text/html,<b>\">x</a>", "x"),
    ("<img src=x onerror=alert(1)>x<svg onload=alert(1)>", "x"),
    ("x<iframe src=\"https://a.example/\">y</iframe>", "x"),
    ("a\u{1E}b\u{1F}javascript:x\u{1E}\u{0}", "abjavascript:x"),
    ("<a href=\"https://a.example/\u{1F}\">x</a>", "x"),
  ])
  func `loses everything but words`(html: String, expected: String) {
    #expect(read(html) == expected)
  }

  @Test func `is limited in length`() {
    #expect(NewsHTML.news(String(repeating: "a", count: NewsHTML.byteLimit + 1)).isEmpty)
    let nested = String(repeating: "<div>", count: 3000) + "x"
    #expect(nested.utf8.count <= NewsHTML.byteLimit)
    #expect(NewsHTML.news(nested).runs.count <= 1)
  }

  @Test(arguments: [1, 2, 20_261_121] as [UInt64])
  func `becomes words and safe links, whatever it holds`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let parts = [
      "<a href=\"", "<a href=", "\">", "</a>", "<br>", "&", "&#0;", "&#x1F;", "<", ">", "javascript:",
      "https://", "x", " ",
      "/1/", "<sup>", "</", "\u{1E}", "\u{1F}", "\u{202E}", "é", "'", "\"", "<!--", "]]>",
    ]
    for _ in 0..<500 {
      let html = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        parts.randomElement(using: &random) ?? ""
      }.joined()
      for run in NewsHTML.news(html).runs {
        let address = run.address
        let isSafe = address.isEmpty || ["/", "http://", "https://"].contains { "\(address)".hasPrefix($0) }
        #expect(isSafe && !"\(address)".hasPrefix("//"), "seed \(seed): \(html)")
        #expect(run.words.bytes.allSatisfy { $0 >= 0x20 || $0 == 0x0A }, "seed \(seed): \(html)")
      }
    }
  }
}
