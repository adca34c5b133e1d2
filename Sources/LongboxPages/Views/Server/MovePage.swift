// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// A link for pairing another device with a library.
public struct MoveOffer: Equatable, Sendable {
  /// The full address, with the host that the reader used.
  public var link: Text
  /// The address as a QR code; nil if it is too long.
  public var symbol: QRSymbol?
  /// The host, if it is a loopback name such as `127.0.0.1`, which other devices can't reach.
  public var loopback: Text?

  /// Makes an offer.
  public init(link: Text, symbol: QRSymbol?, loopback: Text? = nil) {
    self.link = link
    self.symbol = symbol
    self.loopback = loopback
  }
}

struct MovePage: Equatable {
  let offer: MoveOffer
}

extension MovePage: Page {
  var title: Text { "Connect another device" }
  var kind: Text { "message-page" }
  var tab: Tab? { .settings }
  var back: BackLink? { .settings }

  var content: HTML {
    div(.class("message")) {
      if let loopback = offer.loopback { unreachable(loopback) }
      p {
        "Open this link on the other device, or point its camera at the square. It works once, within ten minutes."
      }
      if let symbol = offer.symbol { symbol.drawing(named: "QR code of the link") }
      p { a(.class("address"), .href(.external(offer.link))) { offer.link } }
      // A script shows what the browser can do.
      div(.class("link-actions"), Attribute("hidden")) {
        button(.class("button"), Attribute("type", "button"), Attribute("data-do", "copy")) { "Copy link" }
        button(.class("button"), Attribute("type", "button"), Attribute("data-do", "share")) { "Share link" }
      }
      p {
        "The two devices will then share one library. Keep the link to yourself: the first to open it sees "
        "your favorites and can change them."
      }
    }
  }

  private func unreachable(_ host: Text) -> HTML {
    div(.role("alert")) {
      p {
        strong { "Another device can’t reach " + host + "." }
        " On each machine that name means the machine itself."
      }
      p {
        "First let your devices in: "
        a(.href(.phone)) { "Use Longbox on your phone" }
        ". Then open Longbox under the address that you find there, and come back to this page."
      }
    }
  }
}
