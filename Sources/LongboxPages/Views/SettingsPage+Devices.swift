// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

extension SettingsPage {
  /// Installation, and pairing with another device.
  var devices: HTML {
    SettingsRows.group(site.isStaticCopy ? "This device" : "This device and others", id: "devices-title") {
      // Shown by a script if the browser can install Longbox.
      div(.class("rows"), .id("install"), Attribute("hidden")) {}
      if !site.isStaticCopy { otherDevices }
    }
  }

  @HTMLBuilder private var otherDevices: HTML {
    // On a device, a script shows it if its server is on the same machine.
    div(.class("rows"), .id("phone"), isLocal ? .none : Attribute("hidden")) {
      SettingsRows.row(
        a(.href(.phone)) { "Use Longbox on your phone" },
        icon: .devices,
        hint: "And on other devices in your network."
      )
    }
    // On a device, a script shows it if its server has sign-in.
    div(.class("rows"), .id("access"), hasSignIn ? .none : Attribute("hidden")) {
      SettingsRows.row(a(.href(.devices)) { "Devices and access keys" }, icon: .devices)
    }
    div(.class("rows"), .id("server"), isLocal || hasSignIn ? .none : Attribute("hidden")) {
      SettingsRows.row(
        a(.href(.serverStatus)) { "Server" },
        icon: .details,
        hint: "Whether everything works."
      )
    }
    form(.class("rows"), .action(.move), Attribute("method", "post")) {
      SettingsRows.row(
        button(Attribute("type", "submit")) { "Connect another device" },
        icon: .devices,
        hint: "Same favorites, notes and read marks."
      )
    }
    // On a device, a script shows when it has synced.
    p(.class("hint"), .id("sync"), .role("status"), Attribute("hidden")) {}
  }

  /// The form that marks comics as read, and the reading map.
  var readMarks: HTML {
    SettingsRows.group("Read marks", id: "read-title") {
      div(.class("rows")) {
        div(.class("row")) { ReadUpToForm(back: .settings).html }
        SettingsRows.row(a(.href(.overview(.init(view: .map)))) { "Your reading map" }, icon: .grid)
        SettingsRows.row(
          a(.href(.history)) { "Recently viewed" },
          icon: .list,
          hint: "The last comics you opened on this device."
        )
      }
    }
  }

  /// The reader's data, and everything about Longbox.
  var data: HTML {
    SettingsRows.group("Your data", id: "data-title") {
      div(.class("rows")) {
        SettingsRows.row(
          a(.class("made"), .href(.exportLibrary), Attribute("download", LibraryDocument.fileName)) {
            "Export"
          },
          icon: .export,
          hint: "A file with your favorites, notes, read marks and settings."
        )
        SettingsRows.row(
          a(.class("made"), .href(.importLibrary)) { "Import" },
          icon: .import,
          hint: "Importing never deletes anything."
        )
        if !site.isStaticCopy {
          SettingsRows.row(a(.href(.feeds)) { "Feeds" }, icon: .feed)
          SettingsRows.row(
            a(.href(.albumSettings)) { "Albums" },
            icon: .record,
            hint: "The country of the store"
          )
        }
        SettingsRows.row(a(.href(.about)) { "About and licences" }, icon: .details)
      }
      p(.class("hint")) {
        strong { "Your privacy." }
        if site.isStaticCopy {
          " What you read, your favorites and your settings stay in this browser, and only there."
        } else {
          " What you read stays on this device. Once you add a favorite or change a setting, this server keeps your library, under "
          "a random ID only your browser has. There is no account, and nothing is shared."
        }
      }
    }
  }

  /// The rows that remove something; each asks for confirmation.
  var clearing: HTML {
    SettingsRows.group("Start over", id: "clear-title") {
      div(.class("rows")) {
        SettingsRows.row(asking(.clearReadMarks, "Mark all comics as unread"))
        div(.class("row"), .id("cache"), Attribute("hidden")) {}
        SettingsRows.row(
          asking(.clearFavorites, "Clear favorites"),
          value: favorites > 0 ? Text(grouped: favorites) : .empty
        )
      }
      p(.class("hint")) { "Each asks first and says what it removes." }
    }
  }

  private func asking(_ link: Link, _ name: StaticString) -> HTML {
    a(.href(link), Attribute("data-asks")) {
      name
      span(Attribute("aria-hidden", "true")) { "…" }
    }
  }
}
