// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The form that marks all comics up to a number as read.
struct ReadUpToForm {
  let back: Link

  var html: HTML {
    form(.class("go"), .action(.local(EditAddress.readOlder.path)), Attribute("method", "post")) {
      label(Attribute("for", "read-up-to")) { "I have read up to comic" }
      input(
        .id("read-up-to"),
        Attribute("name", "comic"),
        Attribute("inputmode", "numeric"),
        Attribute("maxlength", "9"),
        Attribute("autocomplete", "off"),
        Attribute("placeholder", "No.")
      )
      EditForm(address: .readOlder, comic: nil, back: back.address).fields
      button(.class("button"), Attribute("type", "submit")) { "Mark as read" }
    }
  }
}
