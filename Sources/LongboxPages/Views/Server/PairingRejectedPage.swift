// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// Why a pairing link doesn't work, and how to get a new one.
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
      ul(.class("links")) { li { a(.href(.favorites)) { "Your favorites" } } }
    }
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
