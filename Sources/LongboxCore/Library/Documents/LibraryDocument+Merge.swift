// Longbox
// SPDX-License-Identifier: MIT

extension LibraryDocument {
  /// Adds the entries that the library lacks; removes and overwrites nothing.
  ///
  /// Either all changes are made or none.
  /// - Parameters:
  ///   - replica: the library. The document must have been checked.
  ///   - latest: the newest comic, if known; higher numbers of a bare list are skipped.
  ///   - now: the time in milliseconds since 1970-01-01 UTC.
  /// - Throws: `LibraryError.full`; the library is then unchanged.
  public func merge(
    into replica: inout Replica,
    latest: Comic.Number?,
    at now: UInt64
  ) throws(LibraryError) -> ImportResult {
    var merge = Merge(replica: replica, now: now)
    for favorite in favorites {
      guard let comic = Comic.Number(favorite.num), !isList || comic <= latest ?? comic else {
        merge.summary.unknownNumbers.append(favorite.num)
        continue
      }
      try merge.add(comic, favorite)
    }
    try merge.markRead(read)
    if let place, let comic = Comic.Number(place.num) { try merge.go(to: comic, place.time) }
    for setting in settings { try merge.set(setting) }
    for album in albums { try merge.save(album) }
    for saved in saved { try merge.save(saved) }
    replica = merge.replica
    return merge.summary
  }
}

private struct Merge {
  var replica: Replica
  let now: UInt64
  var summary = ImportResult()

  private var editTime: EditTime { replica.editTime(at: now) }

  mutating func add(_ comic: Comic.Number, _ favorite: LibraryDocument.Favorite) throws(LibraryError) {
    let known = replica.library.favorite(comic)
    if known == nil {
      let added = EditTime(timestamp: editTime.timestamp, time: favorite.added?.milliseconds ?? now)
      try replica.library.addFavorite(comic, at: added)
      summary.favoritesAdded += 1
    } else {
      summary.favoritesPresent += 1
    }
    guard let note = favorite.note, !note.isEmpty, known?.note.isEmpty ?? true else { return }
    try replica.library.setNote(note, ofFavorite: comic, at: editTime)
    summary.notesAdded += 1
  }

  /// Stores a span that starts at comic 1 as one entry, and others as one entry per comic.
  mutating func markRead(_ spans: [LibraryDocument.Span]) throws(LibraryError) {
    let marks = replica.library.readMarks
    for span in spans {
      let unread = (span.from...span.to).compactMap { Comic.Number($0) }.filter { !marks.isRead($0) }
      summary.comicsRead += unread.count
      if span.from == 1, unread.count > 1, let last = Comic.Number(span.to) {
        try replica.library.setRead(true, upTo: last, at: editTime)
      } else {
        for comic in unread { try replica.library.setRead(true, comic: comic, at: editTime) }
      }
    }
  }

  mutating func go(to comic: Comic.Number, _ time: Instant) throws(LibraryError) {
    if let known = replica.library.place, known.time >= time.milliseconds { return }
    try replica.library.setPlace(comic, at: EditTime(timestamp: editTime.timestamp, time: time.milliseconds))
    summary.isPlaceTaken = true
  }

  mutating func set(_ setting: LibraryDocument.Setting) throws(LibraryError) {
    let key = try LibraryKey("setting/" + setting.name)
    guard replica.library.value(key) == nil else { return }
    try replica.library.set(key, to: setting.value, timestamp: editTime.timestamp)
    summary.settingsTaken += 1
  }

  mutating func save(_ album: LibraryDocument.Album) throws(LibraryError) {
    guard let album = album.saved, !replica.library.hasSaved(album.id) else { return }
    try replica.library.save(album, at: editTime)
    summary.savedTaken += 1
  }

  mutating func save(_ saved: LibraryDocument.Saved) throws(LibraryError) {
    guard replica.library.value(try Library.savedKey(kind: saved.kind, name: saved.name)) == nil else {
      return
    }
    try replica.library.save(saved.value ?? .empty, kind: saved.kind, name: saved.name, at: editTime)
    summary.savedTaken += 1
  }
}
