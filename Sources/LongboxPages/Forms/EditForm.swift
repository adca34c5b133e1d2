// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// A form with one button that changes the library and returns to its page.
struct EditForm {
  let address: EditAddress
  let comic: Comic.Number?
  var album: StoreID?
  /// The value of the field `on`, if the edit is a switch.
  var isOn: Bool?
  /// The page to return to.
  let back: Text

  /// The form with its button's content.
  func html(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    form(.class("edit"), .action(.local(address.path)), Attribute("method", "post")) {
      fields
      HTML(element: "button", [Attribute("type", "submit")] + attributes, content())
    }
  }

  @HTMLBuilder var fields: HTML {
    if let comic { hidden("comic", Text(decimal: comic.value)) }
    if let album { hidden("album", album.text) }
    if let isOn { hidden("on", isOn ? "yes" : "no") }
    hidden("back", back)
  }
}
