// Longbox
// SPDX-License-Identifier: MIT

import Testing

@testable import LongboxCore

struct WikitextTests {
  @Test(arguments: [
    ("One\ntwo\n\nthree", "p(One two)p(three)"),
    ("  \n\n", ""),
    ("== A ==\nb", "p(b)"),
    ("==Explanation==\na\n==Trivia==\nb\n===C===\nd", "p(a)h2(Trivia)p(b)h3(C)p(d)"),
    ("= =\n=x", "p(= = =x)"),
    ("----\nx", "—p(x)"),
    ("a<br>b<br/>c", "p(a⏎b⏎c)"),
    (" a\n  b\nc", "pre(a\n b)p(c)"),
    ("<pre>\n a [[b]]\n\n''c''\n</pre>x", "pre( a [[b]]\n\n''c''\n)p(x)"),
    ("__NOTOC__a __NOT a__ ____", "p(a __NOT a__ ____)"),
    ("<!-- no -->a<!-- no", "p(a)"),
    ("a\n<!-- a line of its own -->\nb", "p(a b)"),
    ("<noinclude>a</noinclude><includeonly>b</includeonly>", "p(a)"),
  ])
  func `becomes blocks`(wikitext: String, expected: String) {
    #expect(outline(wikitext) == expected)
  }

  @Test(arguments: [
    ("* a\n* b\n** c\n* d", "ul(li(a)li(bul(li(c)))li(d))"),
    ("# a\n#* b\n# c", "ol(li(aul(li(b)))li(c))"),
    ("* a\n# b", "ul(li(a))ol(li(b))"),
    (":a\n::b\n:c", "indent(aindent(b))indent(c)"),
    ("; t : d\n: e\n; u", "dl(dt(t)dd(d)dd(e)dt(u))"),
    ("; [http://a.b/ c: d] : e", "dl(dt(<http://a.b/>(c: d))dd(e))"),
    ("*** a", "ul(li(ul(li(ul(li(a))))))"),
    ("<ul><li>a</li><li>b<ol><li>c</li></ol></li></ul>", "ul(li(a)li(bol(li(c))))"),
    (" * a\n # b", "pre(* a\n# b)"),
    (
      ";Fix kerning ($10) :Kerning is\n;http://a.b/ :c",
      "dl(dt(Fix kerning ($10))dd(Kerning is)dt(<http://a.b/>(http://a.b/))dd(c))"
    ),
    ("<span>:/</span> a\n<font>#5</font> b", "p(:/ a #5 b)"),
    ("{|\n|#5\n|:x\n* y\n|}", "table(tr(td(#5)td(:xul(li(y)))))"),
    ("* a\n\n* b", "ul(li(a))ul(li(b))"),
  ])
  func `becomes lists`(wikitext: String, expected: String) {
    #expect(outline(wikitext) == expected)
  }

  @Test(arguments: [
    ("''a'' '''b''' '''''c'''''", "p(em(a) b(b) b(em(c)))"),
    ("'''''a''' b''", "p(b(em(a))em( b))"),
    ("'''''a'' b'''", "p(b(em(a) b))"),
    ("''a\nb''", "p(em(a) b)"),
    ("l'''amour'' x '''y'''", "p(l'em(amour) x b(y))"),
    ("''''a'''", "p('b(a))"),
    ("<sub>''a</sub>''b", "p(sub(em(a))b)"),
    ("<b>a<i>b</b>c</i>", "p(b(aem(b))em(c))"),
    ("x<sup>2</sup> <tt>c</tt> <s>d</s> <small>e</small> <u>f</u>", "p(xsup(2) code(c) s(d) small(e) u(f))"),
    ("<span style=\"color:red\">a</span><font color=red>b</font><big>c</big>", "p(abc)"),
    ("<noun> a < b </noun>", "p(<noun> a < b </noun>)"),
    ("their \"<script>\", <style>a</style> and <a>", "p(their \"<script>\", <style>a</style> and <a>)"),
    ("''a<span></span>''b", "p(em(a)b)"),
    ("a''<span>''b''</span>''", "p(ab)"),
    ("<nowiki>''a'' {{b}} [[c]]</nowiki>", "p(''a'' {{b}} [[c]])"),
    ("<nowiki />''a''", "p(em(a))"),
    ("&eacute;&#233;&#xE9;&lt;b&gt; &unknown; D&D;", "p(ééé<b> &unknown; D&D;)"),
    ("&#91;&#91;a&#93;&#93;", "p([[a]])"),
    ("<q>a</q>", "p(“a”)"),
    ("&LT;a&GT; &AMP;", "p(<a> &)"),
    ("<math>\\frac{1}{n^2} \\times \\pi</math>", "p(code(1/(n²) × π))"),
    ("<math>\\frac32 k_B T</math>", "p(code(3/2 k_B T))"),
    ("<math>x_{i+1}-x_i</math>", "p(code(x_(i+1)-x_i))"),
    ("<math>10^{36} e^{-x} 2\\tfrac12</math>", "p(code(10³⁶ e^(-x) 2 1/2))"),
    (
      "<math>\\begin{align}\\textstyle\\mathop{max} a &= \\sqrt{b+c}\\end{align}</math>",
      "p(code(max a = √(b+c)))"
    ),
  ])
  func `becomes inline text`(wikitext: String, expected: String) {
    #expect(outline(wikitext) == expected)
  }

  @Test(arguments: [
    ("[[353: Python]]s", "p(#353(353: Pythons))"),
    ("[[353]] [[353#Trivia|t]] [[:353: Python|p]]", "p(#353(353) #353(t) #353(p))"),
    ("[[404: Not Found|none]]", "p(#404(none))"),
    ("[[Black Hat]]", "p(<https://www.explainxkcd.com/wiki/index.php/Black_Hat>(Black Hat))"),
    ("[[What If?|b''o''ok]]", "p(<https://www.explainxkcd.com/wiki/index.php/What_If%3F>(bem(o)ok))"),
    ("''[[a|b'' c]] d", "p(em(<https://www.explainxkcd.com/wiki/index.php/a>(b c)) d)"),
    ("[[#Trivia|below]]", "p(#Trivia(below))"),
    (
      "[[9: Toast/Transcript|t]]",
      "p(<https://www.explainxkcd.com/wiki/index.php/9:_Toast/Transcript>(t))"
    ),
    ("[[9: Ham/Eggs/Spam|a]] [[9: 6/6 Ham|b]] [[9: h/ham/Ham/|c]]", "p(#9(a) #9(b) #9(c))"),
    ("[[Q&amp;A]]", "p(<https://www.explainxkcd.com/wiki/index.php/Q%26A>(Q&A))"),
    ("[[0, 1], [-1, 0]] and [[]]", "p([[0, 1], [-1, 0]] and [[]])"),
    ("[[1000 Comics]]", "p(<https://www.explainxkcd.com/wiki/index.php/1000_Comics>(1000 Comics))"),
    (
      "[[Category:A]]\n[[File:a b.png]]c",
      "p([<https://www.explainxkcd.com/wiki/index.php/File:a_b.png>(picture: a b.png)]c)"
    ),
    (
      "[[File:a.png|thumb|200px|A [[353]] caption]]\nb",
      "p(small([<https://www.explainxkcd.com/wiki/index.php/File:a.png>(picture: a.png)] A #353(353) caption))p(b)"
    ),
    (
      "x [[Image:a.png|frame|alt=A red hen]]",
      "p(x [<https://www.explainxkcd.com/wiki/index.php/File:a.png>(picture: A red hen)])"
    ),
    ("a [[:Category:B|c]]", "p(a <https://www.explainxkcd.com/wiki/index.php/Category:B>(c))"),
    ("[http://a.b/c?d=e&amp;f d ''e'']", "p(<http://a.b/c?d=e&f>(d em(e)))"),
    (
      "A.[https://a.b/c] B[http://d.e] [http://f.g h]",
      "p(A.<https://a.b/c>([1]) B<http://d.e>([2]) <http://f.g>(h))"
    ),
    ("[//a.b c]", "p(<https://a.b>(c))"),
    ("see http://a.b/c. (http://d.e)", "p(see <http://a.b/c>(http://a.b/c). (<http://d.e>(http://d.e)))"),
    ("[http://www.explainxkcd.com/wiki/index.php/1989:_IMHO x]", "p(#1989(x))"),
    ("[mailto:a@b c] [ftp://a b]", "p(c b)"),
    ("[javascript:alert(1) c]", "p([javascript:alert(1) c])"),
    ("[[javascript:alert(1)|c]]", "p(<https://www.explainxkcd.com/wiki/index.php/javascript:alert(1)>(c))"),
    ("[[http://a.b c]]", "p([<http://a.b>(c)])"),
    ("{{comic|number=9}}[[9: Toast]] [[9: Toast#Ham|h]] [[8]]", "p(9: Toast #Ham(h) #8(8))"),
    ("[A sign [with [353]]", "p([A sign [with [353]])"),
    ("[[a] b", "p([a] b)"),
    ("a]] b}} c{{ d[[", "p(a]] b}} c{{ d[)"),
    ("{∅,{{∅}", "p({∅,{{∅})"),
  ])
  func `becomes links`(wikitext: String, expected: String) {
    #expect(outline(wikitext) == expected)
  }

  @Test(arguments: [
    ("{{w|Bread}}s", "p(<https://en.wikipedia.org/wiki/Bread>(Breads))"),
    ("{{W|Bread (food)|loaf}}", "p(<https://en.wikipedia.org/wiki/Bread_(food)>(loaf))"),
    ("{{w|E=mc²}}", "p(<https://en.wikipedia.org/wiki/E=mc%C2%B2>(E=mc²))"),
    ("a{{Citation needed}}", "p(amark([citation needed]))"),
    ("{{what if|26|Leap Seconds}}", "p(<https://what-if.xkcd.com/26/>(Leap Seconds))"),
    ("{{xkcd|609|hello}}", "p(<https://xkcd.com/609/>(hello))"),
    (
      "{{tvtropes|A|b}} {{tvtropes|Main/A|b}}",
      "p(<https://tvtropes.org/pmwiki/pmwiki.php/Main/A>(b) <https://tvtropes.org/pmwiki/pmwiki.php/Main/A>(b))"
    ),
    ("{{nowrap|a {{w|B}}}}", "p(a <https://en.wikipedia.org/wiki/B>(B))"),
    ("{{sort|0001|1}}{{color|red|x}}{{yes}}{{No|Old}}{{yesno|yy}}", "p(1xYesOldYes)"),
    ("{{unknown|a|text}} {{unknown}} {{unknown|title=b}}", "p(text b)"),
    ("{{quote|a\n\nb|C}}", "quote(p(a)p(b)p(— C))"),
    ("{{spoiler|a}}b", "p(em(a))p(b)"),
    ("{{incomplete|because}}a {{tl|b}}", "p(a {{b}})"),
    ("{{{1|a}}} {{{b}}}", "p(a)"),
    ("{{#if: a|b}}{{TOC}}{{DISPLAYTITLE:x}}a", "p(a)"),
    ("({{#expr: 2 * 3}} km, {{CURRENTYEAR}}, {{#time:U}})", "p((6 km, …, …))"),
    ("{{#expr: ln 2}} {{#expr: 2 * {{#time:Y}}}} {{PAGENAME}}", "p(… … …)"),
    (
      "{{comic|number=7|title=Bread}}{{FULLPAGENAME}} [{{fullurl:{{PAGENAME}}|action=history}} a]",
      "p(7: Bread <https://www.explainxkcd.com/wiki/index.php/7:_Bread?action=history>(a))"
    ),
    ("{{w|Time|time }}for", "p(<https://en.wikipedia.org/wiki/Time>(time for))"),
    ("{{w|a\n{{w|b}}", "p({{w|a <https://en.wikipedia.org/wiki/b>(b))"),
    ("x{{ {{ }} [[ a", "p(x{{ [ a)"),
    ("{{incomplete}} a\n[[Category:B]] b", "p(a b)"),
    (
      "a<ref>b ''c''</ref> d<ref name=x>e</ref><ref name=\"x\" />",
      "p(a^1 d^2^2)notes(note(b em(c))note(e))"
    ),
    ("a<ref>b</ref>\n<references/>\nc", "p(a^1)notes(note(b))p(c)"),
    (
      "<gallery>\nFile:a.png|A [[353]]\n</gallery>",
      "ul(li([<https://www.explainxkcd.com/wiki/index.php/File:a.png>(picture: a.png)] A #353(353)))"
    ),
    (
      "<imagemap>\nImage:a.png|frame|A map\nrect 1 2 3 4 [[#Polls|The polls]]\n</imagemap>",
      "p(small([<https://www.explainxkcd.com/wiki/index.php/File:a.png>(picture: a.png)] A map))"
        + "ul(li(#Polls(The polls)))"
    ),
  ])
  func `becomes templates and tags`(wikitext: String, expected: String) {
    #expect(outline(wikitext) == expected)
  }

  @Test(arguments: [
    ("{| class=a\n|+ C\n! A !! B\n|-\n| c || d\n|}", "table(caption(C)tr(th(A)th(B))tr(td(c)td(d)))"),
    ("{|\n|colspan=2 rowspan=\"3\"| a\n|style=x|[[353|b]]\n|}", "table(tr(td2x3(a)td(#353(b))))"),
    ("{|\n|a\n* b\n\nc\n|}", "table(tr(td(p(a)ul(li(b))p(c))))"),
    ("{|\n|\n{|\n|a\n|}\n|b\n|}", "table(tr(td(table(tr(td(a))))td(b)))"),
    (":{|\n|a\n|}\nb", "table(tr(td(a)))p(b)"),
    ("{|\n|a", "table(tr(td(a)))"),
    ("{|\n|}", ""),
    ("<table><tr><td>a</td><td colspan=2>b</td></tr></table>c", "table(tr(td(a)td2x1(b)))p(c)"),
    ("<table><tr><td\ncolspan=2\n>a</td><th\n>b</th></tr></table>", "table(tr(td2x1(a)th(b)))"),
    ("{|\n|<nowiki>|</nowiki>||[[353|x]]\n|}", "table(tr(td(|)td(#353(x))))"),
  ])
  func `becomes tables`(wikitext: String, expected: String) {
    #expect(outline(wikitext) == expected)
  }
}
