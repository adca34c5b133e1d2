// Longbox
// SPDX-License-Identifier: MIT

/// What opens a construct of wikitext; many times and never closed, it is the usual way to make a parser slow.
///
/// Two targets have this file: the tests of LongboxCore, and the program of `Tests/Growth` by a link.
enum WikitextOpeners {
  static let all = [
    "{{", "{{{", "{{{{{", "}}", "[[", "]]", "[", "[http://a ", "[[a|", "{{w|", "{{quote|", "''", "'''''",
    "<nowiki>", "<pre>",
    "<!--", "<ref>", "<ref name=a>", "</ref>", "<b>", "</b>", "<ul><li>", "<table><tr><td>", "<blockquote>\n",
    "{|\n|", "{|\n{|\n", "|}\n", ":{|\n", "*#:;", "=", "=a=\n", "==Transcript==\n", "&", "&#x", "http://",
    "https://a.b/(",
    "<a ", "<", "__", "[[File:a|thumb|", "<gallery>", "<math>{", "\u{1}", "\u{6}a", "a{{cn}}", "; a : b\n",
    "\n\n \n",
    "[[a|'' <b>", "{{nowrap|[[a|b]]", "{{{1|", "{{sort||", "é", "<sub>''<b><i>", ".",
  ]
}
