// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// What opens a construct of wikitext, many times and never closed: the usual way to make a parser slow.
private let openers = [
  "{{", "{{{", "{{{{{", "}}", "[[", "]]", "[", "[http://a ", "[[a|", "{{w|", "{{quote|", "''", "'''''",
  "<nowiki>", "<pre>",
  "<!--", "<ref>", "<ref name=a>", "</ref>", "<b>", "</b>", "<ul><li>", "<table><tr><td>", "<blockquote>\n",
  "{|\n|", "{|\n{|\n",
  "|}\n", ":{|\n", "*#:;", "=", "=a=\n", "==Transcript==\n", "&", "&#x", "http://", "https://a.b/(", "<a ",
  "<", "__",
  "[[File:a|thumb|", "<gallery>", "<math>{", "\u{1}", "\u{6}a", "a{{cn}}", "; a : b\n", "\n\n \n",
  "[[a|'' <b>",
  "{{nowrap|[[a|b]]", "{{{1|", "{{sort||", "é", "<sub>''<b><i>",
]

/// Pages of one opener only, of 8,000 bytes and more.
let wikitextCases = openers.map { opener in
  Workload(name: "wikitext of \(opener.debugDescription)") { size in
    let wikitext = Text(string: String(repeating: opener, count: 8_000 * size / opener.utf8.count))
    return { _ = WikiPage(wikitext: wikitext) }
  }
}
