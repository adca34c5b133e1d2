// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// A comic's small picture; the picture's own size keeps its place until it has come.
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
