// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The page in place of comic 404.
struct MissingNumberPage: Page {
  let latest: Comic.Number
  /// Whether the page is a file, see ``Pager``.
  var isFile = false

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
    div(.class("message empty")) {
      Drawing.boxWithGap.html
      h2 { "There is no comic 404" }
      p(.id("problem")) {
        "The comics go from 403 straight to 405, so that xkcd.com can answer “404 Not Found” here and mean it."
      }
      ul(.class("links")) {
        for neighbor in [Comic.Number.beforeMissing, .afterMissing] where neighbor <= latest {
          li { a(.href(.comic(neighbor))) { "#" + Text(decimal: neighbor.value) } }
        }
      }
    }
    Pager(fromMissingNumberWithLatest: latest, isFile: isFile).html
  }
}
