// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

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
