// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// A file of a static copy for an address whose page the device renders.
///
/// As soon as the service worker controls the page, a script loads the address again, and the worker responds.
struct MadeOnDevicePage: Page {
  /// Whether the device renders a page for the address; false in the file that the host shows for unknown addresses.
  let isAddressKnown: Bool

  var title: Text { isAddressKnown ? "One moment" : "Page not found" }
  var kind: Text { "message-page" }
  var tab: Tab? { .comics }

  var content: HTML {
    div(.class("message empty"), Attribute("data-needs-worker")) {
      Drawing.boxWithRoom.html
      p(.id("problem"), .role("status")) {
        if isAddressKnown {
          "This page is made on your device. It appears as soon as Longbox is ready there, which takes some seconds and "
          "needs JavaScript."
        } else {
          "There is no page at this address. A comic’s address is its number, such as /353/."
        }
      }
      ul(.class("links")) {
        li { a(.href(.latest)) { "Latest comic" } }
        li { a(.href(.overview(.init()))) { "All comics" } }
      }
    }
  }
}
