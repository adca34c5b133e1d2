// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The reader's settings, each of which applies at once; and what is on this device, which `settings.js` fills in.
struct SettingsPage: Equatable {
  let appearance: Appearance
  let darkPictures: DarkPictures
  let wideComics: WideComics
  let altText: AltTextDisplay
  let doubleTap: DoubleTap
  let openingComic: OpeningComic
  let textSize: TextSize
  let hasShortcuts: Bool
  let searchesDeep: Bool
  let keepsComics: Bool
  let favorites: Int
  /// The size of the file that `Export` makes, in bytes.
  let exportSize: Int
  let hasSignIn: Bool
  let isLocal: Bool
  let site: Site

  init(reader: Reader, context: PageContext) {
    hasSignIn = context.hasSignIn
    isLocal = context.isLocal
    site = context.site
    appearance = reader.library.value(of: .appearance)
    darkPictures = reader.library.value(of: .darkPictures)
    wideComics = reader.library.value(of: .wideComics)
    altText = reader.library.value(of: .altText)
    doubleTap = reader.library.value(of: .doubleTap)
    openingComic = reader.library.value(of: .openingComic)
    textSize = reader.library.value(of: .textSize)
    hasShortcuts = reader.library.value(of: .shortcuts)
    searchesDeep = reader.library.value(of: .deepSearchByDefault)
    keepsComics = reader.library.value(of: .keepComics)
    favorites = reader.library.favorites.count
    exportSize = LibraryDocument(reader.library, exported: 0).encoded.count
  }
}

extension SettingsPage: Page {
  var title: Text { "Settings" }
  var kind: Text { "settings-page" }
  var tab: Tab? { .settings }
  var canonical: Link? { .settings }

  var content: HTML {
    SettingsRows.page {
      look
      reading
      offline
      // Filled in by scripts: what is stored, and notifications.
      section(.class("group"), .id("storage"), .label("Storage"), Attribute("hidden")) {}
      if !site.isStaticCopy {
        section(.class("group"), .id("news"), .label("New comics"), Attribute("hidden")) {}
      }
      search
      devices
      readMarks
      data
      clearing
    }
  }
}

extension SettingsPage {
  private typealias Field = SettingsForm.Field

  private var look: HTML {
    SettingsRows.group("Appearance", id: "appearance-title") {
      SettingsRows.form {
        SettingsRows.choice(
          "Appearance",
          Field.appearance,
          chosen: appearance.word,
          [
            ("System", Appearance.system.word), ("Light", Appearance.light.word),
            ("Dark", Appearance.dark.word),
          ]
        )
        SettingsRows.choice(
          "Pictures in the dark",
          Field.darkPictures,
          chosen: darkPictures.word,
          hasPictures: true,
          [
            ("Invert", DarkPictures.invert.word), ("Dim", DarkPictures.dim.word),
            ("As drawn", DarkPictures.asDrawn.word),
          ]
        )
      }
    }
  }

  private var reading: HTML {
    SettingsRows.group("Reading", id: "reading-title") {
      SettingsRows.form {
        SettingsRows.choice(
          "Wide comics",
          Field.wideComics,
          chosen: wideComics.word,
          [("Whole", WideComics.whole.word), ("Readable", WideComics.readable.word)]
        )
        SettingsRows.choice(
          "Alt text",
          Field.altText,
          chosen: altText.word,
          [("On tap", AltTextDisplay.onTap.word), ("Always shown", AltTextDisplay.always.word)]
        )
        SettingsRows.choice(
          "Double tap",
          Field.doubleTap,
          chosen: doubleTap.word,
          [
            ("Favorite", DoubleTap.favorite.word), ("Zoom", DoubleTap.zoom.word),
            ("Nothing", DoubleTap.nothing.word),
          ]
        )
        SettingsRows.choice(
          "Text size",
          Field.textSize,
          chosen: textSize.word,
          [
            ("S", TextSize.small.word), ("M", TextSize.medium.word), ("L", TextSize.large.word),
            ("XL", TextSize.extraLarge.word),
          ]
        )
        SettingsRows.choice(
          "Open with",
          Field.openingComic,
          chosen: openingComic.word,
          [
            ("Latest", OpeningComic.latest.word), ("Continue", OpeningComic.lastViewed.word),
            ("Random", OpeningComic.random.word),
          ]
        )
        SettingsRows.toggle("Keyboard shortcuts", Field.shortcuts, isOn: hasShortcuts)
      }
    }
  }

  private var offline: HTML {
    SettingsRows.group("Download for offline", id: "offline-title", .role("group")) {
      SettingsRows.form {
        SettingsRows.toggle(
          "Keep comics on this device",
          Field.keepComics,
          isOn: keepsComics,
          hint: site.pictures == .all
            ? "Comics you open can be read offline. Favorites always can."
            : "The explanations of comics you open can be read offline."
        )
      }
      div(.class("rows"), .id("downloads"), Attribute("hidden")) {}
    }
  }

  private var search: HTML {
    SettingsRows.group("Search", id: "search-title") {
      SettingsRows.form {
        SettingsRows.toggle(
          "Deep search by default",
          Field.deepSearch,
          isOn: searchesDeep,
          hint: "Also alt texts, transcripts and explanations. The tick beside a search lasts on its device."
        )
      }
    }
  }
}

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
          icon: .save,
          hint: LibraryDocument.fileName + ", a JSON file of " + Text(grouped: (exportSize + 999) / 1_000)
            + " kB with your favorites, notes, read marks and settings.",
          action: "Download"
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
            hint: "Store and language of articles"
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
