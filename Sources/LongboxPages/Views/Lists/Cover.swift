// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// A comic's cover: its thumbnail, cropped to 4:3 from the top.
///
/// Behind the thumbnail is the comic's number on paper, for a thumbnail that is missing or unknown.
struct Cover {
  let comic: Comic.Number
  let facts: PictureFacts?

  var html: HTML {
    span(.class(facts == nil ? "cover bare" : "cover")) {
      span(.class("number"), Attribute("aria-hidden", "true")) { "#" + Text(decimal: comic.value) }
      if let facts {
        img(
          .class(kind(of: facts)),
          .src(.thumbnail(comic, version: facts.versionText)),
          .alt(.empty),
          Attribute("loading", "lazy"),
          Attribute("decoding", "async")
        )
      }
    }
  }

  /// How the style sheet shows the picture: in the dark, and if it is a wide strip.
  private func kind(of facts: PictureFacts) -> Text {
    let isStrip = facts.width * 10 > facts.height * 44
    let isWide = facts.width * 3 > facts.height * 4
    let tone: Text = ComicRules.isLineArt(facts, of: comic) ? "line-art" : .empty
    return tone + (isStrip ? " strip" : isWide ? " left" : .empty)
  }
}

/// A comic in a grid of covers.
struct ComicTile {
  let comic: Comic.Number
  let name: Text
  let facts: PictureFacts?
  var isUnread = false
  var isFavorite = false
  /// The list that the comic is opened in, if any.
  var list: ReadingList?

  init(comic: Comic.Number, name: Text, facts: PictureFacts?) {
    self.comic = comic
    self.name = name
    self.facts = facts
  }

  /// The cover, the number and the title.
  @HTMLBuilder var content: HTML {
    let label = ComicLabel(comic: comic, name: name, isUnread: isUnread, isFavorite: isFavorite)
    Cover(comic: comic, facts: facts).html
    " "
    span(.class("caption")) { label.words }
    // After the caption, whose lines are limited: WebKit counts hidden words there, and shows "…".
    label.marks
  }

  var link: HTML {
    a(.href(.comic(comic, in: list))) { content }
  }
}

/// A comic's number and title, such as "#353 Python", with its marks in words for screen readers.
struct ComicLabel {
  let comic: Comic.Number
  let name: Text
  var isUnread = false
  var isFavorite = false

  var html: HTML { words + marks }

  @HTMLBuilder var words: HTML {
    span(.class("number")) { "#" + Text(decimal: comic.value) }
    " "
    bdi { name }
  }

  @HTMLBuilder var marks: HTML {
    if isUnread { span(.class("aside")) { ", unread" } }
    if isFavorite { span(.class("aside")) { ", favorite" } }
  }
}
