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
  var limit = 200
  var isRequired = false

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
      Attribute("maxlength", limit),
      placeholder.isEmpty ? .none : Attribute("placeholder", placeholder),
      isRequired ? Attribute("required") : .none,
      Attribute("value", text)
    )
    button(.class("button"), Attribute("type", "submit")) { "Search" }
  }
}
