// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// Pages of one opener only, of 8,000 bytes and more; and a link in which a style ends and others begin.
let wikitextCases =
  WikitextOpeners.all.map { opener in
    Workload(name: "wikitext of \(opener.debugDescription)") { size in
      reading(String(repeating: opener, count: 8_000 * size / opener.utf8.count))
    }
  } + [
    Workload(name: "wikitext of a link with many ends of styles") { size in
      let ends = String(repeating: "</b>", count: 1_000 * size)
      let others = String(repeating: "<i></i>", count: 1_000 * size)
      return reading("<b>[http://x " + ends + others + "]")
    }
  ]

private func reading(_ wikitext: String) -> () -> Void {
  let text = Text(string: wikitext)
  return { _ = WikiPage(wikitext: text) }
}
