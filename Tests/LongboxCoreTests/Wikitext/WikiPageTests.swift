// Longbox
// SPDX-License-Identifier: MIT

import Testing

@testable import LongboxCore

struct WikiPageTests {
  private func page(_ wikitext: String, limits: WikiPage.Limits = .init()) -> WikiPage {
    WikiPage(wikitext: Text(string: wikitext), limits: limits)
  }

  private static let bread = """
    {{comic
    | number    = 7
    | date      = April 1, 2026
    | title     = Bread &amp; butter
    | image     = bread.png
    | titletext = It is ''still'' warm.
    }}
    A larger version is [http://example.com/ here].

    ==Explanation==
    {{incomplete|Created by a TOASTER.}}
    This is the third comic in the [[:Category:Bread|Bread series]]. A man bakes bread{{Citation needed}} at 5 a.m. \
    in the morning. He says "It is warm." and leaves.

    The second paragraph.

    ==Transcript==
    {{incomplete transcript}}
    :[A man stands at an oven. A label on it: [hot].]
    :Man: How ''warm''?
    :<big>'''BING'''</big>
    :[One.] [Two.]

    ==Trivia==
    * It was {{w|rye}}.

    ==References==
    <references />

    {{comic discussion}}
    Somebody says something.
    [[Category:Comics featuring bread]]
    """

  @Test func `has its sections in any order`() {
    let page = page(Self.bread)
    #expect(
      page.explanation.plainText.description == """
        A larger version is here.
        This is the third comic in the Bread series. A man bakes bread at 5 a.m. in the morning. He says "It is warm." \
        and leaves.
        The second paragraph.
        Trivia
        It was rye.
        """
    )
    #expect(page.isIncomplete)
    #expect(!page.isExplanationCut)
  }

  @Test func `has templates with named arguments, of which the last with a name counts`() {
    let bytes = Array(
      "comic\n| number = 7 | image=bread.png\n| title = Bread | title = Bread & butter\n".utf8
    )
    let call = WikiTemplateCall(bytes, bars: bytes.indices.filter { bytes[$0] == UInt8(ascii: "|") })
    let names: [StaticString] = ["number", "image", "title", "titletext"]
    let values = names.map { name in call.named(name).map { String(decoding: $0, as: UTF8.self) } }
    #expect(call.name == Array("comic".utf8))
    #expect(values == ["7", "bread.png", "Bread & butter", nil])
  }

  @Test(arguments: [
    (":[This transcript only covers the first panel.]\n:Cueball: Hi.", "Cueball: Hi."),
    (
      ":[A chart. The below transcripts of each image are left to right. It is large.]\n:Hi",
      "[[A chart. It is large.]]\nHi"
    ),
    (
      ":'''[For more transcripts see [[1: X/Transcript|the full transcript page]].]'''\n:[A map.]",
      "[[For more transcripts see the full transcript page "
        + "(https://www.explainxkcd.com/wiki/index.php/1:_X/Transcript).]]\n[[A map.]]"
    ),
    (":Ponytail: It's like someone took a transcript.", "Ponytail: It's like someone took a transcript."),
  ])
  func `has no notes of the editors on the transcript itself`(wikitext: String, transcript: String) {
    #expect(page("==Explanation==\nYes.\n==Transcript==\n" + wikitext).transcript.description == transcript)
  }

  @Test func `has a transcript in xkcd's notation`() {
    #expect(
      page(Self.bread).transcript.description == """
        [[A man stands at an oven. A label on it: (hot).]]
        Man: How warm?
        BING
        [One.] [Two.]
        """
    )
  }

  @Test func `has a lead from the explanation`() {
    #expect(
      page(Self.bread).lead.description == """
        A man bakes bread at 5 a.m. in the morning. He says "It is warm." and leaves. The second paragraph.
        """
    )
  }

  @Test(arguments: [
    ("==Eggsplanation==\nEggs.\n==Transcript==\n:Egg", "Eggs.", "Egg"),
    ("No heading at all.\n==Transcript==\n:Egg", "No heading at all.", "Egg"),
    ("== transcript ==\n:Egg\n==Explanation==\nAfter it.", "After it.", "Egg"),
    ("==Explanation==\nA.\n===Transcript===\n:Egg\n====Part two====\n:Ham", "A.", "Egg\nPart two\nHam"),
    ("==Trivia==\nA bit.\n==Explanation==\nIt.", "It.", ""),
    ("==Explanation==\n==Trivia==\nA bit.", "", ""),
    ("", "", ""),
  ])
  func `has lead and transcript whatever headings its editors use`(
    wikitext: String,
    lead: String,
    transcript: String
  ) {
    let page = page(wikitext)
    #expect(page.lead.description == lead)
    #expect(page.transcript.description == transcript)
  }

  @Test(arguments: [
    "==Trivia==\n===Sub===\n==A title that is longer than both==",
    "==Trivia==\n===A heading that is longer than the next===\n==B==",
    "==Trivia==\n===''===\n==B==\n===C===\n====D====\n==E==",
    "=A=\n==B==\n===''===",
  ])
  func `has no heading that nothing follows`(headings: String) {
    #expect(page("==Explanation==\nIt.\n" + headings).explanation.plainText == "It.")
    let noted = page("==Explanation==\nIt.<ref>Note.</ref>\n" + headings).explanation
    #expect(!noted.parts.contains { if case .open(.heading) = $0 { true } else { false } })
    let last = page("==Explanation==\nIt.\n" + headings + "\n==Last==\nIt.").explanation
    #expect(last.plainText == "It.\nLast\nIt.")
  }

  @Test(arguments: [
    ("Short. Also short.", 12, "Short."),
    ("One sentence that is too long for it, and by itself.", 20, "One sentence that…"),
    ("J. R. Ewing, i.e. him, met Dr. Who. He left.", 36, "J. R. Ewing, i.e. him, met Dr. Who."),
    ("Is it? \"Yes!\" It is (very.) Warm.", 16, "Is it? \"Yes!\""),
    ("The 3.5 mm plug. Next.", 18, "The 3.5 mm plug."),
    ("Ends.<ref>Not this.</ref> Here.", 100, "Ends. Here."),
    ("{|\n|a table\n|}\nText.", 100, "Text."),
    ("* An item.\n\nText.", 100, "Text."),
    ("For example:\n* An item.", 100, "For example."),
    ("A hen lays an egg. It has these parts:\n* An item.\nand a yolk.", 100, "A hen lays an egg."),
    (
      "This is the first comic in a series. But then a hen lays an egg.", 100,
      "This is the first comic in a series. But then a hen lays an egg."
    ),
    ("A sentence of thirty-three bytes.", 20, "A sentence of thirty-three bytes."),
    (
      "It has 10<sup>36</sup> bytes, x<sub>i</sub>, CO<sub>2</sub>, 2<sup>n+1</sup> and a 1<sup>st</sup> one.",
      100,
      "It has 10³⁶ bytes, x_i, CO₂, 2^(n+1) and a 1st one."
    ),
    ("A hen.[http://a.b/] It lays.", 100, "A hen. It lays."),
  ])
  func `ends its lead with a sentence`(wikitext: String, limit: Int, lead: String) {
    var limits = WikiPage.Limits()
    limits.lead = limit
    #expect(page("==Explanation==\n" + wikitext, limits: limits).lead.description == lead)
  }

  @Test func `names the year in which it was written`() {
    let text: Text = "==Explanation==\n{{#expr:3000-{{#time:Y}}}} in {{CURRENTYEAR}}, {{#time:Y}}."
    #expect(WikiPage(wikitext: text, year: 2024).explanation.plainText == "976 in 2024, 2024.")
  }

  @Test(arguments: [
    ("1+2*3", "7"), (" (1 + 2) * 3 ", "9"), ("2^3^2", "64"), ("2^-1", "0.5"), ("-2 - -3", "1"),
    ("7 mod 4", "3"), ("1 div 8", "0.125"), ("2/3 round 3", "0.667"), ("-2/3 round 2", "-0.67"),
    ("1234 round -2", "1200"), ("(0.4 * (5/7)) round 5", "0.28571"), ("1/3", "0.333333333333"),
    ("0.1+0.2", "0.3"), (".5", "0.5"), ("1000000 * 1000000", "1000000000000"), ("0 * -1", "0"),
    ("10^14+0.5", "100000000000001"), ("(0 - 2^63) mod -1", "0"), ("-7 mod 4", "-3"),
  ])
  func `computes`(expression: String, result: String) {
    #expect(WikiExpression.text(Text(string: expression).bytes[...])?.description == result)
  }

  @Test(arguments: [
    "", "1+", "1/0", "1 mod 0", "0^-1", "2^0.5", "ln 2", "e", "(1", "1)", "1 2", "1..2", "…", "1 round",
    "10^400", "9^999 round 2", "1 mod 10^30", "1 round 99", String(repeating: "(", count: 5000),
    String(repeating: "-", count: 5000) + "1",
  ])
  func `computes nothing where only the wiki can`(expression: String) {
    #expect(WikiExpression.text(Text(string: expression).bytes[...]) == nil)
  }

  @Test(arguments: [
    ("A hen [[File:hen_at_dawn.png|thumb|200px]] lays.", "A hen lays."),
    ("A hen [[File:hen.png|alt=A red hen.]] lays.", "A hen [A red hen.] lays."),
    ("<gallery>\nhen_1.jpg|The first hen\nhen_2.webp\n</gallery>", "The first hen"),
    (
      "<imagemap>\nImage:yard.svg|frame|The yard\nrect 10 20 30 40 [[#Coop|The coop]]\n</imagemap>",
      "The yard\nThe coop"
    ),
    ("See [[:File:hen.png|the hen]] and [http://a.b/c.png a.png].", "See the hen and a.png."),
  ])
  func `is searched by what pictures show, not by names of files`(wikitext: String, plain: String) {
    #expect(page("==Explanation==\n" + wikitext).explanation.plainText.description == plain)
  }

  @Test func `is cut where it is too long, and says so`() {
    var limits = WikiPage.Limits()
    limits.explanation = 500
    limits.transcript = 100
    let lines = String(repeating: ":é line\n", count: 100)
    let page = page(
      "==Explanation==\n\(lines)\n{|\n\(String(repeating: "|-\n|cell\n", count: 100))|}\n==Transcript==\n\(lines)",
      limits: limits
    )
    #expect(page.isExplanationCut)
    #expect(page.explanation.bytes.count < 600)
    #expect(page.transcript.count <= 100)
    #expect(page.transcript.description.hasSuffix("é line"))
  }

  @Test(arguments: 0..<40)
  func `is cut between characters`(limit: Int) {
    var limits = WikiPage.Limits()
    limits.wikitext = limit
    limits.transcript = limit
    let page = page("aé€😀aé€😀aé€😀==Transcript==", limits: limits)
    #expect(!page.explanation.plainText.description.contains("\u{FFFD}"))
    #expect(page.isExplanationCut == (limit < 44))
  }
}
