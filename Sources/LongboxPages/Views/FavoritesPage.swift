// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The reader's favorites, newest first.
struct FavoritesPage: Equatable {
  /// A favorite, with its comic's title if known.
  struct Entry: Equatable {
    let favorite: Favorite
    let name: Text
    let picture: PictureFacts?
    let explanation: HTML?
  }

  let entries: [Entry]

  init(archive: Archive, loaded: Loaded, reader: Reader) {
    entries = reader.library.favorites.map { favorite in
      let comic = archive.comic(favorite.comic)
      return Entry(
        favorite: favorite,
        name: comic?.title ?? .empty,
        picture: comic?.picture,
        explanation: loaded.lead(of: favorite.comic)
      )
    }
  }
}

extension FavoritesPage: Page {
  var title: Text { "Favorites" }
  var kind: Text { "favorites-page" }
  var tab: Tab? { .favorites }
  var canonical: Link? { .favorites }

  var heading: HTML {
    h1 { title }
  }

  var content: HTML {
    div(.class("favorites")) {
      if entries.isEmpty {
        empty
      } else {
        ul(.class("cards"), .label("Favorites")) { for entry in entries { card(entry) } }
        a(.class("button"), .href(.clearFavorites)) { "Clear favorites" }
      }
    }
  }
}

extension FavoritesPage {
  private var empty: HTML {
    div(.class("message")) {
      HTML(
        trusted: """
          <svg class="drawing" viewBox="0 0 320 180" aria-hidden="true" focusable="false">\
          <path d="M30 70l22-34h216l22 34v82H30zM30 70h260M52 36v34M268 36v34"/>\
          <path class="mark" d="M160 132c-20-14-30-24-30-36 0-18 24-22 30-6 6-16 30-12 30 6 0 12-10 22-30 36z"/></svg>
          """
      )
      p { "There is nothing in this box yet. A comic that you press the heart of will stand here." }
      ul(.class("ways")) {
        li { a(.href(.latest)) { "Latest comic" } }
        li { a(.href(.random)) { "Random comic" } }
      }
    }
  }

  private func card(_ entry: Entry) -> HTML {
    let comic = entry.favorite.comic
    let label = "#" + Text(decimal: comic.value) + " " + entry.name
    return li {
      a(.class("card"), .href(.comic(comic))) {
        span(.class("thumbnail")) {
          if let facts = entry.picture { Thumbnail(comic: comic, facts: facts).html }
        }
        span {
          span(.class("number")) { "#" + Text(decimal: comic.value) }
          " "
          bdi { entry.name }
        }
      }
      note(entry, label)
      EditForm(address: .favorite, comic: comic, isOn: false, back: Link.favorites.address)
        .html(
          .class("button"),
          .label("Remove " + Text(decimal: comic.value) + " " + entry.name + " from favorites")
        ) { "Remove" }
      ExplanationDisclosure(comic: comic, beginning: entry.explanation ?? HTML()).html
    }
  }

  private func note(_ entry: Entry, _ label: Text) -> HTML {
    let form = EditForm(address: .note, comic: entry.favorite.comic, back: Link.favorites.address)
    let limit = Text(decimal: LibraryLimits.noteLength)
    return details(.class("note-of")) {
      summary { entry.favorite.note.isEmpty ? "Add a note" : entry.favorite.note }
      LongboxPages.form(.class("edit"), Attribute("action", form.address.path), Attribute("method", "post")) {
        form.fields
        textarea(
          Attribute("name", "note"),
          Attribute("maxlength", limit),
          Attribute("rows", 2),
          .label("Note on " + label)
        ) { entry.favorite.note }
        button(.class("button"), Attribute("type", "submit")) { "Save note" }
      }
    }
  }
}
