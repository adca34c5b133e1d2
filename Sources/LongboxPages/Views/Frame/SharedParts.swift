// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// A number with its noun, such as "1 note" or "1,200 notes".
func counted(_ count: Int, _ one: Text, _ many: Text) -> Text {
  count == 1 ? "1 " + one : Text(grouped: count) + " " + many
}

/// A number of favorites, such as "no favorites" or "1,200 favorites".
func counted(favorites count: Int) -> Text {
  switch count {
  case 0: "no favorites"
  case 1: "1 favorite"
  default: Text(grouped: count) + " favorites"
  }
}

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

struct NumberForm {
  /// The previous, invalid input.
  let typed: Text
  /// Whether the page has an error about it, with the ID `problem`.
  var isRejected = false
  /// Whether its button is the page's primary one.
  var isMain = false

  var html: HTML {
    form(.class("go"), .action(.go), Attribute("method", "get")) {
      label(Attribute("for", "number")) { "Comic number" }
      input(
        .id("number"),
        Attribute("name", "number"),
        Attribute("type", "text"),
        Attribute("inputmode", "numeric"),
        Attribute("maxlength", "9"),
        Attribute("autocomplete", "off"),
        Attribute("placeholder", "No."),
        Attribute("value", typed),
        isRejected ? Attribute("aria-invalid", "true") : .none,
        isRejected ? Attribute("aria-describedby", "problem") : .none
      )
      button(.class(isMain ? "button primary" : "button"), Attribute("type", "submit")) { "Go" }
    }
  }
}

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
