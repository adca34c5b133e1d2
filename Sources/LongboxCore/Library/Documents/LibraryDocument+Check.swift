// Longbox
// SPDX-License-Identifier: MIT

extension LibraryDocument {
  /// The maximum number of entries of each kind, about three times the number of comics.
  static var listLimit: Int { 10_000 }

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
    for (place, favorite) in favorites.enumerated() {
      guard Comic.Number(favorite.num) != nil else {
        throw .invalid(
          at: Self.entry(place, of: "favorites"),
          "names no comic: " + Text(decimal: favorite.num)
        )
      }
      guard favorite.note?.count ?? 0 <= LibraryLimits.noteLength else {
        throw .invalid(
          at: Self.entry(place, of: "favorites"),
          "has a note of more than " + Text(decimal: LibraryLimits.noteCharacters) + " characters"
        )
      }
    }
  }

  /// Checks that spans ascend without overlap, and limits the comics that need an entry each.
  private func checkSpans() throws(ImportError) {
    var last = 0
    var single = 0
    for (place, span) in read.enumerated() {
      guard Comic.Number(span.from) != nil, Comic.Number(span.to) != nil, span.from <= span.to,
        span.from > last
      else {
        throw .invalid(
          at: Self.entry(place, of: "read"),
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
    for (place, album) in albums.enumerated() where album.saved == nil {
      throw .invalid(at: Self.entry(place, of: "albums"), "is none that a library can hold")
    }
  }

  private func checkSaved() throws(ImportError) {
    try checkCount(saved.count, "saved")
    for (place, saved) in saved.enumerated() {
      guard let length = saved.value?.count, length <= LibraryLimits.valueLength, Self.isKey(saved) else {
        throw .invalid(at: Self.entry(place, of: "saved"), "is none that a library can hold")
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
  private static func entry(_ place: Int, of list: Text) -> Text {
    list + ", entry " + Text(decimal: place + 1)
  }
}
