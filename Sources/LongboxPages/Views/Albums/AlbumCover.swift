// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The cover of an album, in a frame of its size.
struct AlbumCover {
  let album: StoreID
  let isSmall: Bool

  /// A small one stands beside the name, so it says nothing to who can't see it.
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
