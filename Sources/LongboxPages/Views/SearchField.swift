// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// A search field with its icon; its label is for screen readers.
struct SearchField {
  /// The name of the query field, which is also its identifier.
  let name: Text
  let label: Text
  let text: Text
  /// A hint in the empty field.
  var placeholder: Text = .empty

  @HTMLBuilder var html: HTML {
    Icon.magnifier.html
    LongboxPages.label(.class("aside"), Attribute("for", name)) { label }
    input(
      .id(name),
      Attribute("name", name),
      Attribute("type", "search"),
      Attribute("autocomplete", "off"),
      Attribute("autocapitalize", "off"),
      Attribute("spellcheck", "false"),
      Attribute("enterkeyhint", "search"),
      Attribute("maxlength", 200),
      placeholder.isEmpty ? .none : Attribute("placeholder", placeholder),
      Attribute("value", text)
    )
    button(.class("button"), Attribute("type", "submit")) { "Search" }
  }
}
