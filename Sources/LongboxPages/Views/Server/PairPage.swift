// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The size of both libraries, shown before pairing.
public struct PairingPreview: Equatable, Sendable {
  /// The number of favorites in this device's library.
  public var here: Int
  /// The number of favorites in the other library.
  public var there: Int

  /// Makes a preview.
  public init(here: Int, there: Int) {
    self.here = here
    self.there = there
  }
}

/// The question whether to pair, with the consequences.
struct PairPage: Equatable {
  let code: Text
  let preview: PairingPreview
}

extension PairPage: Page {
  var title: Text { "Connect another device" }
  var kind: Text { "message-page" }
  var tab: Tab? { .settings }

  var content: HTML {
    div(.class("message")) {
      p {
        "The other device’s library has " + counted(favorites: preview.there) + "; this device’s has "
          + counted(favorites: preview.here) + "."
      }
      p {
        "Once connected, both devices share one library with all favorites, notes and read marks of the two. Nothing is "
        "removed; where both have a setting, the later one counts. From then on, a change on one device reaches the other."
      }
      p {
        "Connect only if the link is your own, or comes from someone with whom you want to share your library."
      }
      form(.action(.pair), Attribute("method", "post")) {
        hidden("code", code)
        button(.class("button action"), Attribute("type", "submit")) { "Connect" }
      }
      ul(.class("links")) { li { a(.href(.latest)) { "Don’t connect" } } }
    }
  }
}
