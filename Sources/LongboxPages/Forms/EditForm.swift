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
  /// The comics of an edit of many, which the reader has confirmed.
  var comics: [Comic.Number] = []

  /// The name of the field that says that the reader has confirmed the edit.
  static var confirmed: Text { "confirmed" }

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
    if !comics.isEmpty { hidden(Self.confirmed, "yes") }
    // Last, since only the first fields are parsed by name.
    for comic in comics { hidden("comic", Text(decimal: comic.value)) }
  }
}
