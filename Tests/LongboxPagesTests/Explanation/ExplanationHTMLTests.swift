// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import TestSupport
import Testing

@testable import LongboxPages

@Suite struct ExplanationHTMLTests {
  private func html(_ wikitext: String) -> String {
    WikiPage(wikitext: Text(string: wikitext)).explanation.html.description
  }

  @Test(arguments: [
    (
      "==Explanation==\na ''b''\n==Trivia==\n===C===\nd",
      "<p>a <em>b</em></p><h3 id=\"about-Trivia\">Trivia</h3><h4 id=\"about-C\">C</h4><p>d</p>"
    ),
    (
      "==Explanation==\na\n===B===\n===C===\nd\n===E===\n====F====\n==G==\n----\n==H==\n===I===",
      "<p>a</p><h3 id=\"about-C\">C</h3><p>d</p><h3 id=\"about-G\">G</h3><hr>"
    ),
    ("* a\n# b\n:c", "<ul><li>a</li></ul><ol><li>b</li></ol><div class=\"indent\">c</div>"),
    ("; t : d", "<dl><dt>t</dt><dd>d</dd></dl>"),
    (
      "{|\n! a\n|-\n|colspan=2| b\n|}",
      "<div class=\"table\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table><tr><th>a</th></tr><tr><td colspan=\"2\">b</td></tr></table></div>"
    ),
    ("a<br>b\n----\n<pre>c</pre>", "<p>a<br>b</p><hr><pre>c</pre>"),
    (
      "a{{cn}}<ref>b</ref>",
      "<p>a<sup class=\"mark\">[citation needed]</sup><sup><a href=\"#note-1\">[1]</a></sup></p><ol class=\"notes\"><li id=\"note-1\">b</li></ol>"
    ),
    (
      "[[#The hens|up]] [[#Ham|x]]\n===The hens===\n[[#The_hens|b]]\n===The hens===\nc",
      "<p><a href=\"#about-The-hens\">up</a> x</p><h3 id=\"about-The-hens\">The hens</h3>"
        + "<p><a href=\"#about-The-hens\">b</a></p><h4>The hens</h4><p>c</p>"
    ),
    ("{{quote|a}}", "<blockquote><p>a</p></blockquote>"),
    (
      "a<sub>1</sub><sup>2</sup><s>3</s><u>4</u><small>5</small><code>6</code>'''7'''",
      "<p>a<sub>1</sub><sup>2</sup><s>3</s><u>4</u><small>5</small><code>6</code><strong>7</strong></p>"
    ),
  ])
  func `has the elements of its parts`(wikitext: String, expected: String) {
    #expect(html(wikitext) == expected)
  }

  @Test(arguments: [
    (
      "A hen has [[4: Four|four]] eggs, and [http://a.b/ a] yolk. Then it leaves.",
      "A hen has <a href=\"/4/\">four</a> eggs, and "
        + "<a href=\"http://a.b/\" rel=\"noopener noreferrer external\">a</a> yolk. Then it leaves."
    ),
    (
      "This is the second comic in a [[1: A|series]]. It has [[2: B|eggs]].",
      "It has <a href=\"/2/\">eggs</a>."
    ),
    ("Hens lay.[http://a.b/] [[#Trivia|Eggs]] hatch.", "Hens lay. Eggs hatch."),
    ("A hen lays x<sup>[[3: C|2]]</sup> eggs.", "A hen lays x² eggs."),
    ("See [[5: E|''these'' eggs]]", "See <a href=\"/5/\">these eggs</a>."),
  ])
  func `begins with its first sentences and their links`(wikitext: String, expected: String) {
    let page = WikiPage(wikitext: Text(string: "==Explanation==\n" + wikitext))
    #expect(page.linkedLead.html.description == expected)
    #expect(page.linkedLead.plainText == page.lead)
  }

  @Test(arguments: [
    ("[[353: Python]]", "<p><a href=\"/353/\">353: Python</a></p>"),
    ("[[404: Not Found]]", "<p><a href=\"/404/\">404: Not Found</a></p>"),
    (
      "[[Black Hat]]",
      "<p><a href=\"https://www.explainxkcd.com/wiki/index.php/Black_Hat\" rel=\"noopener noreferrer external\">Black Hat</a></p>"
    ),
    (
      "[http://a.b/?c=\"d&e'f x]",
      "<p><a href=\"http://a.b/?c=\" rel=\"noopener noreferrer external\">&quot;d&amp;e&#39;f x</a></p>"
    ),
  ])
  func `links comics to this site, and sends no referrer to other sites`(
    wikitext: String,
    expected: String
  ) {
    #expect(html(wikitext) == expected)
  }

  @Test(arguments: [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<nowiki><script>alert(1)</script></nowiki>",
    "<pre><script></pre>", "[javascript:alert(1) a]", "[http://a\" onclick=alert(1) b]",
    "[[a\" onclick=\"alert(1)|b]]",
    "&lt;script&gt;alert(1)&lt;/script&gt;", "{{w|<script>}}",
    "{| onclick=alert(1)\n| onclick=alert(1) | a\n|}",
    "<span onclick=alert(1)>a</span>", "[data:text/html,<script> a]", "==<script>==\na",
  ])
  func `is escaped, whatever its editors wrote`(wikitext: String) throws {
    let html = html("a\n" + wikitext)
    // Every tag is one that the renderer writes, with only its own attributes.
    for tag in html.split(separator: "<", omittingEmptySubsequences: false).dropFirst() {
      let inside = try #require(tag.split(separator: ">", omittingEmptySubsequences: false).first)
      #expect(inside.wholeMatch(of: Self.ownTag) != nil, "<\(inside)>")
    }
  }

  private static var ownTag: Regex<AnyRegexOutput> {
    get {
      do {
        return try Regex(
          #"/?(p|h[345]|ul|ol|li|dl|dt|dd|div|pre|blockquote|table|caption|tr|th|td|em|strong|u|s|small|code|sub|sup|br|hr|a)"#
            + #"( class="(indent|notes|mark|table" tabindex="0" role="group" aria-label="Table)")?( href="(/\d+/|https?://[^"<>\s]+)")?"#
            + #"( rel="noopener noreferrer external")?( colspan="\d+")?( rowspan="\d+")?"#
        )
      } catch {
        Issue.record("the pattern is wrong: \(error)")
        return Regex(verbatim: "")
      }
    }
  }

  /// Elements are closed in order, whatever the wikitext is.
  @Test(arguments: 0..<100 as Range<UInt64>)
  func `is well nested`(seed: UInt64) throws {
    let pieces = [
      "''", "'''", "<b>", "</b>", "<sub>", "</sub>", "[[353|", "]]", "[http://a.b ", "]", "{{w|", "}}", "\n",
      "\n* ", "\n:",
      "\n{|\n| ", "\n|-\n! ", "\n|}\n", "\n==a==\n", "<ref>", "</ref>", "{{quote|", "<pre>", "</pre>",
      " text ", "<br>", "; a : b",
    ]
    var random = SeededGenerator(seed: seed)
    let wikitext = (0..<200).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    var open: [Substring] = []
    for tag in html(wikitext).split(separator: "<", omittingEmptySubsequences: false).dropFirst() {
      let name = tag.prefix { $0 != ">" && $0 != " " }
      if name.hasPrefix("/") {
        try #require(open.popLast() == name.dropFirst(), "seed \(seed)")
      } else if name != "br", name != "hr" {
        open.append(name)
      }
    }
    #expect(open.isEmpty, "seed \(seed)")
  }
}
