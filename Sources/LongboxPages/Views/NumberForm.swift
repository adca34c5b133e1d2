// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The form that leads to a comic by its number.
struct NumberForm {
  /// What the reader typed last time, where that was no number of a comic.
  let typed: Text
  /// Whether an error about it stands on the page, with the id `problem`.
  var isRefused = false

  var html: HTML {
    form(.class("go"), Attribute("action", Link.go.address), Attribute("method", "get")) {
      label(Attribute("for", "number")) { "Comic number" }
      input(
        .id("number"),
        Attribute("name", "number"),
        Attribute("type", "text"),
        Attribute("inputmode", "numeric"),
        Attribute("pattern", "[0-9]*"),
        Attribute("maxlength", "9"),
        Attribute("autocomplete", "off"),
        Attribute("placeholder", "No."),
        Attribute("value", typed),
        isRefused ? Attribute("aria-invalid", "true") : .none,
        isRefused ? Attribute("aria-describedby", "problem") : .none
      )
      button(.class("button"), Attribute("type", "submit")) { "Go" }
    }
  }
}
