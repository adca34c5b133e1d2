// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// A comic's thumbnail; the full picture's size reserves its space until it loads.
struct Thumbnail {
  let comic: Comic.Number
  let facts: PictureFacts

  var html: HTML {
    img(
      .src(.thumbnail(comic, version: facts.versionText)),
      .alt(.empty),
      Attribute("loading", "lazy"),
      Attribute("decoding", "async"),
      Attribute("width", facts.width),
      Attribute("height", facts.height)
    )
  }
}
