// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// A form that changes the library by one button, and comes back to the page that it stands on.
struct EditForm {
  let address: EditAddress
  let comic: Comic.Number?
  /// The album, where the edit is of one.
  var album: StoreID?
  /// The value of the field `on`, where the edit switches something.
  var isOn: Bool?
  /// The page to come back to.
  let back: Text

  /// The form around what its button says.
  func html(_ attributes: Attribute..., @HTMLBuilder content: () -> HTML) -> HTML {
    form(.class("edit"), Attribute("action", address.path), Attribute("method", "post")) {
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

  private func hidden(_ name: Text, _ value: Text) -> HTML {
    input(Attribute("type", "hidden"), Attribute("name", name), Attribute("value", value))
  }
}
