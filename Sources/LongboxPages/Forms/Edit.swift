// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// A change to the reader's library, requested by a form.
enum Edit: Equatable {
  /// Adds or removes a favorite.
  case favorite(Comic.Number, Bool)
  /// Sets the note of a favorite.
  case note(Comic.Number, Text)
  /// Removes these favorites.
  case removeFavorites([Comic.Number])
  /// Removes all favorites.
  case clearFavorites
  /// Marks all comics as unread.
  case clearReadMarks
  /// Forgets which comics were viewed.
  case clearHistory
  /// Marks a comic as read or unread.
  case read(Comic.Number, Bool)
  /// Marks a viewed comic as read and, unless `keepsPlace`, makes it the reader's place.
  case viewed(Comic.Number, keepsPlace: Bool)
  /// Marks a comic and all before it as read.
  case readOlder(Comic.Number)
  /// Shows a comic on dark pages as it was drawn, or by the setting.
  case drawn(Comic.Number, Bool)
  /// Changes settings.
  case settings(SettingsForm)
  case saveAlbum(SavedAlbum)
  case removeAlbum(StoreID)
  /// Sets the article for an album, or removes the choice.
  case pickArticle(ArticlePick?, for: StoreID)
  /// Undoes the last edit.
  case undo

  /// Parses a form; nil if a field is missing or invalid.
  init?(_ address: EditAddress, fields: FormFields) {
    switch address {
    case .clearFavorites: self = .clearFavorites
    case .removeFavorites: self = .removeFavorites(fields.comics("comic"))
    case .clearReadMarks: self = .clearReadMarks
    case .clearHistory: self = .clearHistory
    case .undo: self = .undo
    case .settings:
      guard let form = SettingsForm(fields) else { return nil }
      self = .settings(form)
    case .saveAlbum:
      guard let album = SavedAlbum(fields) else { return nil }
      self = .saveAlbum(album)
    case .removeAlbum:
      guard let album = fields["album"].flatMap({ StoreID($0) }) else { return nil }
      self = .removeAlbum(album)
    case .pickArticle:
      guard let album = fields["album"].flatMap({ StoreID($0) }), let page = fields["page"] else {
        return nil
      }
      let pick = page.number.flatMap { ArticlePick(language: fields["language"] ?? .empty, page: $0) }
      guard pick != nil || page.isEmpty else { return nil }
      self = .pickArticle(pick, for: album)
    case .readOlder:
      // Readers type this number, so 404 is accepted: it means the comics before it.
      var digits = (fields["comic"] ?? .empty).bytes.trimmed()
      if digits.first == UInt8(ascii: "#") { digits = digits.dropFirst() }
      guard let number = Text(digits).number,
        let comic = number == 404 ? .beforeMissing : Comic.Number(number)
      else { return nil }
      self = .readOlder(comic)
    case .favorite, .note, .read, .viewed, .drawn:
      guard let comic = fields.comic("comic") else { return nil }
      switch address {
      case .favorite: self = .favorite(comic, fields["on"] == "yes")
      case .note: self = .note(comic, Text((fields["note"] ?? .empty).bytes.trimmed()))
      case .viewed: self = .viewed(comic, keepsPlace: fields["place"] == "keep")
      case .drawn: self = .drawn(comic, fields["on"] == "yes")
      default: self = .read(comic, fields["on"] == "yes")
      }
    }
  }

  /// Applies the change, and leaves a notice for the next page, unless the page itself shows the change.
  /// - Throws: `LibraryError` if the library can't hold the change; it is then unchanged.
  func apply(to replica: inout Replica, at now: UInt64) throws(LibraryError) {
    var edited = replica
    let editTime = edited.editTime(at: now)
    var undo = Undo()
    var kind: Notice.Kind?
    switch self {
    case .favorite(let comic, let isOn):
      undo =
        isOn
        ? try edited.library.addFavorite(comic, at: editTime)
        : try edited.library.removeFavorite(comic, at: editTime)
      kind = isOn ? .favoriteAdded(comic) : .favoriteRemoved(comic)
    case .note(let comic, let note):
      undo = try edited.library.setNote(note, ofFavorite: comic, at: editTime)
      kind = .noteSaved(comic)
    case .removeFavorites(let comics):
      undo = try edited.library.removeFavorites(comics, at: editTime)
      kind = .favoritesRemoved(undo.items.count)
    case .clearFavorites:
      undo = try edited.library.clearFavorites(at: editTime)
      kind = .favoritesCleared
    case .clearReadMarks:
      if let greatest = Comic.Number(Comic.Number.greatestValue) {
        undo = try edited.library.setRead(false, upTo: greatest, at: editTime)
      }
      kind = .readMarksCleared
    case .clearHistory:
      undo = try edited.library.clearHistory(at: editTime)
      kind = .historyCleared
    case .read(let comic, let isRead):
      undo = try edited.library.setRead(isRead, comic: comic, at: editTime)
      kind = isRead ? .markedRead(comic) : .markedUnread(comic)
    case .viewed(let comic, let keepsPlace):
      // A comic that the reader has just marked as unread stays unread.
      if Notice.last(in: edited.library, at: now)?.kind != .markedUnread(comic) {
        try edited.library.markViewed(comic, at: editTime)
        try edited.library.noteInHistory(comic, at: editTime)
        if !keepsPlace { try edited.library.notePlace(comic, at: editTime) }
      }
      kind = nil
    case .readOlder(let comic):
      undo = try edited.library.setRead(true, upTo: comic, at: editTime)
      kind = .markedOlder(comic)
    case .drawn(let comic, let isOn):
      try edited.library.setShownAsDrawn(isOn, comic: comic, at: editTime)
      kind = nil
    case .settings(let form):
      try form.apply(to: &edited.library, at: editTime)
      kind = form.isQuiet ? nil : .settingsSaved
    case .saveAlbum(let album):
      undo = try edited.library.save(album, at: editTime)
      kind = .albumSaved
    case .removeAlbum(let album):
      undo = try edited.library.removeAlbum(album, at: editTime)
      kind = .albumRemoved
    case .pickArticle(let pick, let album):
      try edited.library.pickArticle(pick, for: album, at: editTime)
      kind = nil
    case .undo:
      if let notice = Notice(in: edited.library) { try edited.library.apply(notice.undo, at: editTime) }
      kind = .undone
    }
    if case .favorite(_, false) = self, let earlier = Notice.removal(in: replica.library, at: now) {
      earlier.extend(&kind, &undo)
    }
    if let kind { Notice(kind, undo).leave(in: &edited, at: now) }
    replica = edited
  }

  /// The favorites that the change would remove for good, because a notice can't hold their undo.
  func favoritesLost(from library: Library, at editTime: EditTime) -> [Comic.Number] {
    guard case .removeFavorites(let comics) = self else { return [] }
    var edited = library
    guard let undo = try? edited.removeFavorites(comics, at: editTime), !Notice.holds(undo) else { return [] }
    return library.favorites.map { $0.comic }.filter { !edited.isFavorite($0) }
  }
}
