// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// Pages of one opener only, of 8,000 bytes and more.
let wikitextCases = WikitextOpeners.all.map { opener in
  Workload(name: "wikitext of \(opener.debugDescription)") { size in
    let wikitext = Text(string: String(repeating: opener, count: 8_000 * size / opener.utf8.count))
    return { _ = WikiPage(wikitext: wikitext) }
  }
}
