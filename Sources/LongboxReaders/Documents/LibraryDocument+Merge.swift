// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

extension LibraryDocument {
  /// Adds what the file has and the library has not; nothing is removed, and nothing is overwritten.
  ///
  /// All of it is done, or nothing.
  /// - Parameters:
  ///   - replica: the library. The file has been checked before.
  ///   - latest: the newest comic, where one is known: a bare list's numbers beyond it are left out.
  ///   - now: the time in milliseconds since 1970-01-01 UTC.
  /// - Throws: `LibraryError.full`; the library is as before then.
  public func merge(
    into replica: inout Replica,
    latest: Comic.Number?,
    at now: UInt64
  ) throws(LibraryError) -> ImportResult {
    var merge = Merge(replica: replica, now: now)
    for favorite in favorites ?? [] {
      guard let comic = Comic.Number(favorite.num), !isList || comic <= latest ?? comic else {
        merge.summary.strangers.append(favorite.num)
        continue
      }
      try merge.add(comic, favorite)
    }
    try merge.markRead(read ?? [])
    if let place, let comic = Comic.Number(place.num) { try merge.go(to: comic, place.time) }
    for (name, value) in (settings ?? [:]).sorted(by: { $0.key < $1.key }) { try merge.set(name, value) }
    for album in albums ?? [] { try merge.save(album) }
    for saved in saved ?? [] { try merge.save(saved) }
    replica = merge.replica
    return merge.summary
  }
}

/// An import that is under way.
private struct Merge {
  var replica: Replica
  let now: UInt64
  var summary = ImportResult()

  private var moment: Moment { replica.moment(at: now) }

  mutating func add(_ comic: Comic.Number, _ favorite: LibraryDocument.Favorite) throws(LibraryError) {
    let known = replica.library.favorite(comic)
    if known == nil {
      let added = Moment(stamp: moment.stamp, time: favorite.added?.milliseconds ?? now)
      try replica.library.addFavorite(comic, at: added)
      summary.favoritesAdded += 1
    } else {
      summary.favoritesPresent += 1
    }
    guard let note = favorite.note, !note.isEmpty, known?.note.isEmpty ?? true else { return }
    try replica.library.setNote(Text(string: note), ofFavorite: comic, at: moment)
    summary.notesAdded += 1
  }

  /// A span from the first comic on becomes one entry, any other an entry for each comic.
  mutating func markRead(_ spans: [LibraryDocument.Span]) throws(LibraryError) {
    let marks = replica.library.readMarks
    for span in spans {
      let unread = (span.from...span.to).compactMap { Comic.Number($0) }.filter { !marks.isRead($0) }
      summary.comicsRead += unread.count
      if span.from == 1, unread.count > 1, let last = Comic.Number(span.to) {
        try replica.library.setRead(true, upTo: last, at: moment)
      } else {
        for comic in unread { try replica.library.setRead(true, comic: comic, at: moment) }
      }
    }
  }

  mutating func go(to comic: Comic.Number, _ time: Instant) throws(LibraryError) {
    if let known = replica.library.place, known.time >= time.milliseconds { return }
    try replica.library.setPlace(comic, at: Moment(stamp: moment.stamp, time: time.milliseconds))
    summary.isPlaceTaken = true
  }

  mutating func set(_ name: String, _ value: String) throws(LibraryError) {
    let key = try LibraryKey(Text(string: "setting/\(name)"))
    guard replica.library.value(key) == nil else { return }
    try replica.library.set(key, to: Text(string: value), stamp: moment.stamp)
    summary.settingsTaken += 1
  }

  mutating func save(_ album: LibraryDocument.Album) throws(LibraryError) {
    guard let album = album.saved, !replica.library.hasSaved(album.id) else { return }
    try replica.library.save(album, at: moment)
    summary.savedTaken += 1
  }

  mutating func save(_ saved: LibraryDocument.Saved) throws(LibraryError) {
    let (kind, name) = (Text(string: saved.kind), Text(string: saved.name))
    guard replica.library.value(try Library.savedKey(kind: kind, name: name)) == nil else { return }
    let value = saved.base64.map { Text($0) } ?? Text(string: saved.value ?? "")
    try replica.library.save(value, kind: kind, name: name, at: moment)
    summary.savedTaken += 1
  }
}
