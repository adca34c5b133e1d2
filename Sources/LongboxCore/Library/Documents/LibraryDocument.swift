// Longbox
// SPDX-License-Identifier: MIT

/// A reader's library as a file; docs/library-json.md describes the format.
public struct LibraryDocument: Equatable, Sendable {
  struct Favorite: Equatable, Sendable {
    var num: Int
    var added: Instant?
    var note: Text?
  }

  struct Span: Equatable, Sendable {
    var from: Int
    var to: Int
  }

  struct Place: Equatable, Sendable {
    var num: Int
    var time: Instant
  }

  struct Setting: Equatable, Sendable {
    var name: Text
    var value: Text
  }

  struct Album: Equatable, Sendable {
    var id: UInt64
    var country: Text
    var name: Text
    var artist: Text?
    var year: Int?

    /// The album; nil if a library can't hold it.
    var saved: SavedAlbum? {
      guard let id = StoreID(id), let country = StoreCountry(country) else { return nil }
      return SavedAlbum(id: id, country: country, year: year ?? 0, name: name, artist: artist ?? .empty)
    }
  }

  struct Saved: Equatable, Sendable {
    var kind: Text
    var name: Text
    /// The value; nil if it is missing, or its Base64 is invalid.
    var value: Text?
  }

  static var format: Text { "longbox-library" }
  static var version: Int { 1 }

  /// The maximum length of a file, in bytes.
  public static var lengthLimit: Int { 8 << 20 }
  public static var fileName: Text { "longbox-library.json" }

  var version = Self.version
  var exported: Instant?
  var favorites: [Favorite] = []
  var read: [Span] = []
  var place: Place?
  var settings: [Setting] = []
  var albums: [Album] = []
  /// Other saved entries: quiz results, and kinds that newer versions add.
  var saved: [Saved] = []
  /// Whether the favorites are from a bare list, whose invalid numbers are skipped and reported.
  var isList = false

  init() {}

  init(list: [Int]) {
    favorites = list.map { Favorite(num: $0) }
    isList = true
  }

  /// The contents of a library, except device-local entries and kinds unknown to this version.
  /// - Parameter exported: the time, in milliseconds since 1970-01-01 UTC.
  public init(_ library: Library, exported: UInt64) {
    self.exported = Instant(milliseconds: exported)
    favorites = library.favorites.map {
      Favorite(
        num: $0.comic.value,
        added: Instant(milliseconds: $0.added),
        note: $0.note.isEmpty ? nil : $0.note
      )
    }
    read = Self.spans(of: library)
    place = library.place.map { Place(num: $0.comic.value, time: Instant(milliseconds: $0.time)) }
    settings = Self.settings(of: library)
    albums = library.savedAlbums.map {
      Album(
        id: $0.id.value,
        country: $0.country.text,
        name: $0.name,
        artist: $0.artist.isEmpty ? nil : $0.artist,
        year: $0.year == 0 ? nil : $0.year
      )
    }
    saved = Self.saved(in: library)
  }

  /// The read comics, as closed spans.
  private static func spans(of library: Library) -> [Span] {
    let marks = library.readMarks
    let last = marks.greatestRead?.value ?? 0
    var spans: [Span] = []
    var number = 0
    while number < last {
      number += 1
      guard let comic = Comic.Number(number), marks.isRead(comic) else { continue }
      if let end = spans.last?.to, Comic.Number(end)?.next == comic {
        spans[spans.count - 1].to = number
      } else {
        spans.append(Span(from: number, to: number))
      }
    }
    return spans
  }

  private static func settings(of library: Library) -> [Setting] {
    let prefix: Text = "setting/"
    return library.places(under: prefix).compactMap { index in
      let entry = library.entries[index]
      guard let value = entry.value else { return nil }
      return Setting(name: Text(entry.key.text.bytes.dropFirst(prefix.count)), value: value)
    }
  }

  private static func saved(in library: Library) -> [Saved] {
    library.places(under: "saved/").compactMap { index in
      let entry = library.entries[index]
      let parts = entry.key.text.bytes.split(separator: UInt8(ascii: "/"), maxSplits: 2)
      guard let value = entry.value, parts.count == 3 else { return nil }
      // Albums have a list of their own.
      if parts[1].elementsEqual("album".utf8), SavedAlbum(entry) != nil { return nil }
      return Saved(kind: Text(parts[1]), name: Text(parts[2]), value: value)
    }
  }

  /// The maximum number of entries of each kind, about three times the number of comics.
  private static var listLimit: Int { 10_000 }

  /// Validates the document, so that a merge can take all of it.
  /// - Throws: `ImportError.newer`, or `ImportError.invalid` with the place.
  func check() throws(ImportError) {
    guard version <= Self.version else { throw .newer(version: version) }
    guard version == Self.version else {
      throw .invalid(at: "version", "has to be " + Text(decimal: Self.version))
    }
    try checkFavorites()
    try checkSpans()
    if let place, Comic.Number(place.num) == nil {
      throw .invalid(at: "place", "names no comic: " + Text(decimal: place.num))
    }
    for setting in settings {
      guard (1...60).contains(setting.name.count),
        setting.name.bytes.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "/") }),
        setting.value.count <= 100
      else {
        let name = setting.name.shortened(to: 60)
        throw .invalid(at: "settings", "has a name or value that no setting has: “" + name + "”")
      }
    }
    try checkCount(settings.count, "settings")
    try checkAlbums()
    try checkSaved()
  }

  private func checkFavorites() throws(ImportError) {
    try checkCount(favorites.count, "favorites")
    guard !isList else { return }
    for (index, favorite) in favorites.enumerated() {
      guard Comic.Number(favorite.num) != nil else {
        throw .invalid(
          at: Self.entry(index, of: "favorites"),
          "names no comic: " + Text(decimal: favorite.num)
        )
      }
      guard favorite.note?.count ?? 0 <= LibraryLimits.noteLength else {
        throw .invalid(
          at: Self.entry(index, of: "favorites"),
          "has a note of more than " + Text(decimal: LibraryLimits.noteCharacters) + " characters"
        )
      }
    }
  }

  /// Checks that spans ascend without overlap, and limits the comics that need an entry each.
  private func checkSpans() throws(ImportError) {
    var last = 0
    var single = 0
    for (index, span) in read.enumerated() {
      guard Comic.Number(span.from) != nil, Comic.Number(span.to) != nil, span.from <= span.to,
        span.from > last
      else {
        throw .invalid(
          at: Self.entry(index, of: "read"),
          "is no span after the one before: " + Text(decimal: span.from) + " to " + Text(decimal: span.to)
        )
      }
      last = span.to
      if span.from > 1 { single += span.to - span.from + 1 }
    }
    try checkCount(single, "read")
  }

  private func checkAlbums() throws(ImportError) {
    try checkCount(albums.count, "albums")
    for (index, album) in albums.enumerated() where album.saved == nil {
      throw .invalid(at: Self.entry(index, of: "albums"), "is none that a library can hold")
    }
  }

  private func checkSaved() throws(ImportError) {
    try checkCount(saved.count, "saved")
    for (index, saved) in saved.enumerated() {
      guard let length = saved.value?.count, length <= LibraryLimits.valueLength, Self.isKey(saved) else {
        throw .invalid(at: Self.entry(index, of: "saved"), "is none that a library can hold")
      }
    }
  }

  private static func isKey(_ saved: Saved) -> Bool {
    do throws(LibraryError) {
      _ = try Library.savedKey(kind: saved.kind, name: saved.name)
      return true
    } catch {
      return false
    }
  }

  private func checkCount(_ count: Int, _ name: Text) throws(ImportError) {
    guard count <= Self.listLimit else {
      throw .invalid(at: name, "has more than " + Text(decimal: Self.listLimit) + " entries")
    }
  }

  /// An entry's place for messages, counted from 1.
  private static func entry(_ index: Int, of list: Text) -> Text {
    list + ", entry " + Text(decimal: index + 1)
  }

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

/// What an import of a library document added to a library.
public struct ImportResult: Equatable, Sendable {
  /// Comics that became favorites.
  public var favoritesAdded = 0
  /// Favorites of the file that existed before.
  public var favoritesPresent = 0
  /// Notes added to favorites without one.
  public var notesAdded = 0
  /// Comics that became read.
  public var comicsRead = 0
  /// Settings that the reader hadn't changed.
  public var settingsTaken = 0
  /// Saved entries that were missing.
  public var savedTaken = 0
  /// Whether the reading position was taken from the file.
  public var isPlaceTaken = false
  /// Numbers of a list that aren't comics.
  public var unknownNumbers: [Int] = []

  public init() {}
}
