// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// What a form asks to be changed in the reader's library.
enum Edit: Equatable {
  /// A comic becomes a favourite, or is one no more.
  case favorite(Comic.Number, Bool)
  /// A favourite gets a note.
  case note(Comic.Number, Text)
  /// There are no favourites any more.
  case clearFavorites
  /// A comic counts as read or as unread.
  case read(Comic.Number, Bool)
  /// A comic and all before it count as read.
  case readOlder(Comic.Number)
  /// How pages look.
  case look(Appearance, invertInDark: Bool)
  /// How comics are read.
  case reading(AltTextDisplay, DoubleTap, shortcuts: Bool)
  /// How Longbox behaves.
  case habits(deepSearch: Bool, keepComics: Bool)
  /// An album is kept.
  case saveAlbum(SavedAlbum)
  /// An album is kept no more.
  case removeAlbum(StoreID)
  /// The last edit is taken back.
  case undo

  /// Reads a form; nothing where it is none of ours, or lacks what it needs.
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
      // People type this one: 404 means the comics before it.
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

  /// Makes the change, and leaves a notice of it for the next page.
  /// - Throws: `LibraryError` where the library can't hold it; nothing is changed then.
  func apply(to replica: inout Replica, at now: UInt64) throws(LibraryError) {
    let moment = replica.moment(at: now)
    var undo = Undo()
    let kind: Notice.Kind
    switch self {
    case .favorite(let comic, let isOn):
      undo =
        isOn
        ? try replica.library.addFavorite(comic, at: moment)
        : try replica.library.removeFavorite(comic, at: moment)
      kind = isOn ? .favoriteAdded(comic) : .favoriteRemoved(comic)
    case .note(let comic, let note):
      undo = try replica.library.setNote(note, ofFavorite: comic, at: moment)
      kind = .noteSaved(comic)
    case .clearFavorites:
      undo = try replica.library.clearFavorites(at: moment)
      kind = .favoritesCleared
    case .read(let comic, let isRead):
      undo = try replica.library.setRead(isRead, comic: comic, at: moment)
      kind = isRead ? .markedRead(comic) : .markedUnread(comic)
    case .readOlder(let comic):
      undo = try replica.library.setRead(true, upTo: comic, at: moment)
      kind = .markedOlder(comic)
    case .look(let appearance, let invert):
      try replica.library.set(.appearance, to: appearance, at: moment)
      try replica.library.set(.invertInDark, to: invert, at: moment)
      kind = .lookSaved
    case .reading(let altText, let doubleTap, let shortcuts):
      try replica.library.set(.altText, to: altText, at: moment)
      try replica.library.set(.doubleTap, to: doubleTap, at: moment)
      try replica.library.set(.shortcuts, to: shortcuts, at: moment)
      kind = .lookSaved
    case .habits(let deepSearch, let keepComics):
      try replica.library.set(.deepSearchByDefault, to: deepSearch, at: moment)
      try replica.library.set(.keepComics, to: keepComics, at: moment)
      kind = .lookSaved
    case .saveAlbum(let album):
      undo = try replica.library.save(album, at: moment)
      kind = .albumSaved
    case .removeAlbum(let album):
      undo = try replica.library.removeAlbum(album, at: moment)
      kind = .albumRemoved
    case .undo:
      if let notice = Notice(in: replica.library) { try replica.library.apply(notice.undo, at: moment) }
      kind = .undone
    }
    try Notice(kind, undo).leave(in: &replica, at: now)
  }
}
