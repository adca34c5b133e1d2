// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The note of a favorite: one line that opens a form.
struct FavoriteNote {
  let favorite: Favorite
  /// The comic's number and title.
  let spoken: Text
  /// The page to return to.
  let back: Link

  var html: HTML {
    let form = EditForm(address: .note, comic: favorite.comic, back: back.address)
    return details(.class(favorite.note.isEmpty ? "note-of none" : "note-of")) {
      summary {
        if favorite.note.isEmpty { "Add a note" } else { span { favorite.note } }
      }
      LongboxPages.form(.class("edit"), .action(.local(form.address.path)), Attribute("method", "post")) {
        form.fields
        textarea(
          Attribute("name", "note"),
          Attribute("maxlength", Text(decimal: LibraryLimits.noteCharacters)),
          Attribute("rows", 3),
          .label("Note on #" + spoken)
        ) { favorite.note }
        p(.class("hint")) { "If two devices change a note offline, the later change stays." }
        button(.class("button action"), Attribute("type", "submit")) { "Save note" }
      }
    }
  }
}
