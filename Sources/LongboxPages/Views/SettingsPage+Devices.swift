// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

extension SettingsPage {
  /// The link to the server's page of album settings, which needs all countries' names.
  var albums: HTML {
    section(Attribute("aria-labelledby", "albums")) {
      h2(.id("albums")) { "Albums" }
      p { a(.href(.albumSettings)) { "Whose store, and which Wikipedia" } }
    }
  }

  /// Pairing with another device, export and import.
  var devices: HTML {
    section(Attribute("aria-labelledby", "devices")) {
      h2(.id("devices")) { "Your devices and your data" }
      p { "Two devices can share one library, so that each has the other’s favorites, notes and read marks." }
      form(Attribute("action", Link.move.address), Attribute("method", "post")) {
        button(.class("button action"), Attribute("type", "submit")) { "Connect another device" }
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
