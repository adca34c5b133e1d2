// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

extension LibraryDocument {
  /// The maximum number of entries of each kind, about three times the number of comics.
  static let listLimit = 10_000

  /// Validates the document, so that a merge can take all of it.
  /// - Throws: `ImportError.newer`, or `ImportError.invalid` with the place.
  func check() throws(ImportError) {
    guard version <= Self.version else { throw .newer(version: version) }
    guard version == Self.version else { throw .invalid(at: "version", "has to be \(Self.version)") }
    try checkFavorites()
    try checkSpans()
    if let place, Comic.Number(place.num) == nil {
      throw .invalid(at: "place", "names no comic: \(place.num)")
    }
    for (name, value) in settings ?? [:] {
      guard (1...60).contains(name.utf8.count),
        name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "/") }),
        value.utf8.count <= 100
      else { throw .invalid(at: "settings", "has a name or value that no setting has: “\(name.prefix(60))”") }
    }
    try checkCount(settings?.count, "settings")
    try checkAlbums()
    try checkSaved()
  }

  private func checkFavorites() throws(ImportError) {
    try checkCount(favorites?.count, "favorites")
    guard !isList else { return }
    for (place, favorite) in (favorites ?? []).enumerated() {
      guard Comic.Number(favorite.num) != nil else {
        throw .invalid(at: "favorites, entry \(place + 1)", "names no comic: \(favorite.num)")
      }
      guard favorite.note?.utf8.count ?? 0 <= LibraryLimits.noteLength else {
        throw .invalid(
          at: "favorites, entry \(place + 1)",
          "has a note of more than \(LibraryLimits.noteLength) bytes"
        )
      }
    }
  }

  /// Checks that spans ascend without overlap, and limits the comics that need an entry each.
  private func checkSpans() throws(ImportError) {
    var last = 0
    var single = 0
    for (place, span) in (read ?? []).enumerated() {
      guard Comic.Number(span.from) != nil, Comic.Number(span.to) != nil, span.from <= span.to,
        span.from > last
      else {
        throw .invalid(
          at: "read, entry \(place + 1)",
          "is no span after the one before: \(span.from) to \(span.to)"
        )
      }
      last = span.to
      if span.from > 1 { single += span.to - span.from + 1 }
    }
    try checkCount(single, "read")
  }

  private func checkAlbums() throws(ImportError) {
    try checkCount(albums?.count, "albums")
    for (place, album) in (albums ?? []).enumerated() where album.saved == nil {
      throw .invalid(at: "albums, entry \(place + 1)", "is none that a library can hold")
    }
  }

  private func checkSaved() throws(ImportError) {
    try checkCount(saved?.count, "saved")
    for (place, saved) in (saved ?? []).enumerated() {
      let length = saved.base64?.count ?? saved.value?.utf8.count
      guard
        let length, length <= LibraryLimits.valueLength,
        (try? Library.savedKey(kind: Text(string: saved.kind), name: Text(string: saved.name))) != nil
      else { throw .invalid(at: "saved, entry \(place + 1)", "is none that a library can hold") }
    }
  }

  private func checkCount(_ count: Int?, _ name: String) throws(ImportError) {
    guard count ?? 0 <= Self.listLimit else {
      throw .invalid(at: name, "has more than \(Self.listLimit) entries")
    }
  }
}
