// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

extension SettingsPage {
  /// What only the server's page can ask, for it needs the names of all countries.
  var albums: HTML {
    section(Attribute("aria-labelledby", "albums")) {
      h2(.id("albums")) { "Albums" }
      p { a(.href(.albumSettings)) { "Whose store, and which Wikipedia" } }
    }
  }

  /// The ways of a library from one device to another, and into a file.
  var devices: HTML {
    section(Attribute("aria-labelledby", "devices")) {
      h2(.id("devices")) { "Your devices and your data" }
      p { "Two devices can share one library, so that each has the other’s favorites, notes and read marks." }
      form(Attribute("action", Link.move.address), Attribute("method", "post")) {
        button(.class("button action"), Attribute("type", "submit")) { "Move to another device" }
      }
      p {
        "A file keeps all of it, for a safe place or for another server. To import a file removes nothing."
      }
      div(.class("ways-in")) {
        a(.class("button action"), .href(.exportLibrary), Attribute("download")) { "Export" }
        a(.class("button action"), .href(.importLibrary)) { "Import" }
      }
    }
  }
}
