// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The page in place of comic 404.
struct MissingNumberPage: Page {
  let latest: Comic.Number

  var title: Text { "404: no such comic" }
  var kind: Text { "card-page" }
  var tab: Tab? { .comics }
  var canonical: Link? { .missingNumber }

  var heading: HTML {
    span(.class("number")) { "#404" }
    " "
    h1 { "Not found, on purpose" }
  }

  var content: HTML {
    div(.class("message")) {
      HTML(
        trusted: """
          <svg class="drawing" viewBox="0 0 320 180" role="img" aria-label="A box of comics with one place empty">\
          <path d="M30 70l22-34h216l22 34v82H30zM30 70h260M52 36v34M268 36v34"/>\
          <path d="M62 66V48M74 66V46M86 66V49M98 66V45M110 66V48M122 66V46M196 66V47M208 66V45M220 66V48M232 66V46\
          M244 66V49M256 66V47"/>\
          <path class="gap mark" d="M134 66V42h50v24z"/><path d="M128 104h64M140 118h40"/></svg>
          """
      )
      p(.id("problem")) {
        "There is no comic 404. The comics go from 403 straight to 405, so that xkcd.com can answer "
        "“404 Not Found” here and mean it."
      }
    }
    Pager(fromMissingNumberWithLatest: latest).html
  }
}
