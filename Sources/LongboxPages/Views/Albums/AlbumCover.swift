// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The cover of an album, with its space reserved.
struct AlbumCover {
  let album: StoreID
  let isSmall: Bool

  /// Small covers are next to the name, so they have no alt text.
  var html: HTML {
    span(.class("sleeve")) {
      img(
        .src(.cover(album, isSmall: isSmall)),
        .alt(isSmall ? .empty : "Cover"),
        Attribute("width", isSmall ? 200 : 600),
        Attribute("height", isSmall ? 200 : 600),
        isSmall ? Attribute("loading", "lazy") : .none
      )
    }
  }
}
