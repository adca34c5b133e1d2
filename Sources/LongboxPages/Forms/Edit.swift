// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// A change to the reader's library, requested by a form.
enum Edit: Equatable {
  /// Adds or removes a favorite.
  case favorite(Comic.Number, Bool)
  /// Sets the note of a favorite.
  case note(Comic.Number, Text)
  /// Removes all favorites.
  case clearFavorites
  /// Marks a comic as read or unread.
  case read(Comic.Number, Bool)
  /// Marks a comic and all before it as read.
  case readOlder(Comic.Number)
  /// Changes the appearance.
  case look(Appearance, invertInDark: Bool)
  /// Changes how comics are read.
  case reading(AltTextDisplay, DoubleTap, shortcuts: Bool)
  /// Changes the default search, and whether comics are kept.
  case habits(deepSearch: Bool, keepComics: Bool)
  case saveAlbum(SavedAlbum)
  case removeAlbum(StoreID)
  /// Undoes the last edit.
  case undo

  /// Parses a form; nil if a field is missing or invalid.
  init?(_ address: EditAddress, fields: FormFields) {
    switch address {
    case .clearFavorites: self = .clearFavorites
    case .undo: self = .undo
    case .look:
      guard let appearance = fields["appearance"].flatMap({ Appearance(word: $0) }) else { return nil }
      self = .look(appearance, invertInDark: fields["invert"] == "on")
    case .reading:
      guard let alt = fields["alt"].flatMap({ AltTextDisplay(word: $0) }),
        let tap = fields["tap"].flatMap({ DoubleTap(word: $0) })
      else { return nil }
      self = .reading(alt, tap, shortcuts: fields["keys"] == "on")
    case .habits: self = .habits(deepSearch: fields["deep"] == "on", keepComics: fields["keep"] == "on")
    case .saveAlbum:
      guard let album = SavedAlbum(fields) else { return nil }
      self = .saveAlbum(album)
    case .removeAlbum:
      guard let album = fields["album"].flatMap({ StoreID($0) }) else { return nil }
      self = .removeAlbum(album)
    case .readOlder:
      // Readers type this number: 404 means the comics before it.
      guard let number = Text((fields["comic"] ?? .empty).bytes.trimmed()).number,
        let comic = number == 404 ? .beforeMissing : Comic.Number(number)
      else { return nil }
      self = .readOlder(comic)
    case .favorite, .note, .read:
      guard let comic = fields.comic("comic") else { return nil }
      switch address {
      case .favorite: self = .favorite(comic, fields["on"] == "yes")
      case .note: self = .note(comic, Text((fields["note"] ?? .empty).bytes.trimmed()))
      default: self = .read(comic, fields["on"] == "yes")
      }
    }
  }

  /// Applies the change, and leaves a notice for the next page.
  /// - Throws: `LibraryError` if the library can't hold the change; it is then unchanged.
  func apply(to replica: inout Replica, at now: UInt64) throws(LibraryError) {
    let editTime = replica.editTime(at: now)
    var undo = Undo()
    let kind: Notice.Kind
    switch self {
    case .favorite(let comic, let isOn):
      undo =
        isOn
        ? try replica.library.addFavorite(comic, at: editTime)
        : try replica.library.removeFavorite(comic, at: editTime)
      kind = isOn ? .favoriteAdded(comic) : .favoriteRemoved(comic)
    case .note(let comic, let note):
      undo = try replica.library.setNote(note, ofFavorite: comic, at: editTime)
      kind = .noteSaved(comic)
    case .clearFavorites:
      undo = try replica.library.clearFavorites(at: editTime)
      kind = .favoritesCleared
    case .read(let comic, let isRead):
      undo = try replica.library.setRead(isRead, comic: comic, at: editTime)
      kind = isRead ? .markedRead(comic) : .markedUnread(comic)
    case .readOlder(let comic):
      undo = try replica.library.setRead(true, upTo: comic, at: editTime)
      kind = .markedOlder(comic)
    case .look(let appearance, let invert):
      try replica.library.set(.appearance, to: appearance, at: editTime)
      try replica.library.set(.invertInDark, to: invert, at: editTime)
      kind = .lookSaved
    case .reading(let altText, let doubleTap, let shortcuts):
      try replica.library.set(.altText, to: altText, at: editTime)
      try replica.library.set(.doubleTap, to: doubleTap, at: editTime)
      try replica.library.set(.shortcuts, to: shortcuts, at: editTime)
      kind = .lookSaved
    case .habits(let deepSearch, let keepComics):
      try replica.library.set(.deepSearchByDefault, to: deepSearch, at: editTime)
      try replica.library.set(.keepComics, to: keepComics, at: editTime)
      kind = .lookSaved
    case .saveAlbum(let album):
      undo = try replica.library.save(album, at: editTime)
      kind = .albumSaved
    case .removeAlbum(let album):
      undo = try replica.library.removeAlbum(album, at: editTime)
      kind = .albumRemoved
    case .undo:
      if let notice = Notice(in: replica.library) { try replica.library.apply(notice.undo, at: editTime) }
      kind = .undone
    }
    try Notice(kind, undo).leave(in: &replica, at: now)
  }
}
