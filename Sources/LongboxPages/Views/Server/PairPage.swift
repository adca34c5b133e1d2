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

extension PairingRejection {
  var status: Int {
    switch self {
    case .unknown: 404
    case .expired, .used: 410
    case .tooManyTries: 429
    case .full: 409
    }
  }

  var sentence: Text {
    switch self {
    case .unknown:
      "This link doesn’t work: a part of it may be missing, or the server was restarted since it was made."
    case .expired: "This link has expired: it works for ten minutes."
    case .used: "This link was used already: it works once."
    case .tooManyTries: "Too many links that don’t work were tried. Wait a minute, then open this one again."
    case .full: "The two libraries together hold more than one library can. Nothing was changed."
    }
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
      ul(.class("ways")) { li { a(.href(.latest)) { "Don’t connect" } } }
    }
  }
}

struct PairedPage: Equatable {
  let favorites: Int
}

extension PairedPage: Page {
  var title: Text { "Connected" }
  var kind: Text { "message-page" }
  var tab: Tab? { .settings }

  var content: HTML {
    div(.class("message empty")) {
      Drawing.boxWithHeart.html
      p(.role("status")) {
        "The two devices share one library now. It has " + counted(favorites: favorites) + "."
      }
      ul(.class("ways")) {
        li { a(.href(.favorites)) { "Your favorites" } }
        li { a(.href(.resume)) { "Go on reading" } }
      }
    }
  }
}

struct PairingRejectedPage: Equatable {
  let rejection: PairingRejection
}

extension PairingRejectedPage: Page {
  var title: Text { "Not connected" }
  var kind: Text { "message-page" }
  var tab: Tab? { .settings }

  var content: HTML {
    div(.class("message empty")) {
      Drawing.questionMark.html
      p(.role("alert")) { rejection.sentence }
      if rejection != .full {
        p { "For a new link open the settings on the other device, and choose “Connect another device”." }
      }
      ul(.class("ways")) { li { a(.href(.favorites)) { "Your favorites" } } }
    }
  }
}

private func counted(favorites count: Int) -> Text {
  switch count {
  case 0: "no favorites"
  case 1: "1 favorite"
  default: Text(grouped: count) + " favorites"
  }
}
