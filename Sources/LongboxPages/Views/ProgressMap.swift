// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// A reader's progress in the comics of one year, in words and as one square per comic.
///
/// The squares repeat the words: a filled one is read, a round one is a favorite.
struct ProgressMap {
  let year: Int
  private var read = 0
  private var favorites = 0
  private var squares = HTML()
  private var count = 0

  init(of year: Int) {
    self.year = year
  }

  /// Adds the next comic, in order.
  mutating func add(isRead: Bool, isFavorite: Bool) {
    count += 1
    if isRead { read += 1 }
    if isFavorite { favorites += 1 }
    let kind: StaticString = isFavorite ? (isRead ? "r f" : "f") : "r"
    squares.append(HTML(element: "i", isRead || isFavorite ? [.class(kind)] : [], HTML()))
  }

  /// Such as "40 of 154 read, 2 favorites".
  private var sentence: Text {
    let read = Text(decimal: read) + " of " + Text(decimal: count) + " read"
    guard favorites > 0 else { return read }
    return read + ", " + Text(decimal: favorites) + (favorites == 1 ? " favorite" : " favorites")
  }

  var html: HTML {
    li {
      a(.href(.overview(.init(year: year)))) {
        strong { Text(decimal: year) }
        ": " + sentence
      }
      div(.class("squares"), Attribute("aria-hidden", "true")) { squares }
    }
  }
}
