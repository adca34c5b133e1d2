// Longbox
// SPDX-License-Identifier: MIT

extension LibraryDocument {
  /// The JSON, indented and with sorted keys.
  public var encoded: [UInt8] {
    let json = JSONValue.members(
      ("albums", albums.isEmpty ? nil : .list(albums.map { $0.json })),
      ("exported", exported.map { .text($0.text) }),
      ("favorites", .list(favorites.map { $0.json })),
      ("format", .text(Self.format)),
      ("place", place.map { .members(("num", .integer($0.num)), ("time", .text($0.time.text))) }),
      ("read", .list(read.map { .members(("from", .integer($0.from)), ("to", .integer($0.to))) })),
      ("saved", .list(saved.map { $0.json })),
      ("settings", .object(settings.map { .init(name: $0.name.valid, value: .text($0.value.valid)) })),
      ("version", .integer(version))
    )
    return json.indented + [UInt8(ascii: "\n")]
  }

  /// Decodes a file that says of itself that it is a library.
  init(_ file: JSONItem) throws(ImportError) {
    version = try file.required("version").integer()
    exported = try file.item("exported")?.instant()
    favorites = try file.item("favorites")?.entries { item throws(ImportError) in try Favorite(item) } ?? []
    read = try file.item("read")?.entries { item throws(ImportError) in try Span(item) } ?? []
    place = try file.item("place").map { item throws(ImportError) in try Place(item) }
    settings =
      try file.item("settings")?.members { name, item throws(ImportError) in
        Setting(name: name, value: try item.text())
      } ?? []
    albums = try file.item("albums")?.entries { item throws(ImportError) in try Album(item) } ?? []
    saved = try file.item("saved")?.entries { item throws(ImportError) in try Saved(item) } ?? []
  }
}

extension LibraryDocument.Favorite {
  fileprivate var json: JSONValue {
    .members(
      ("added", added.map { .text($0.text) }),
      ("note", note.map { .text($0.valid) }),
      ("num", .integer(num))
    )
  }

  fileprivate init(_ item: JSONItem) throws(ImportError) {
    num = try item.required("num").integer()
    added = try item.item("added")?.instant()
    note = try item.item("note")?.text()
  }
}

extension LibraryDocument.Span {
  fileprivate init(_ item: JSONItem) throws(ImportError) {
    from = try item.required("from").integer()
    to = try item.required("to").integer()
  }
}

extension LibraryDocument.Place {
  fileprivate init(_ item: JSONItem) throws(ImportError) {
    num = try item.required("num").integer()
    time = try item.required("time").instant()
  }
}

extension LibraryDocument.Album {
  fileprivate var json: JSONValue {
    .members(
      ("artist", artist.map { .text($0.valid) }),
      ("country", .text(country)),
      ("id", StoreID(id).map { .number($0.text) }),
      ("name", .text(name.valid)),
      ("year", year.map { .integer($0) })
    )
  }

  fileprivate init(_ item: JSONItem) throws(ImportError) {
    id = UInt64(clamping: try item.required("id").longInteger())
    country = try item.required("country").text()
    name = try item.required("name").text()
    artist = try item.item("artist")?.text()
    year = try item.item("year")?.integer()
  }
}

extension LibraryDocument.Saved {
  /// A value that is no text is in Base64.
  fileprivate var json: JSONValue {
    let value = value ?? .empty
    let isText = value.bytes.isUTF8
    return .members(
      ("base64", isText ? nil : .text(Base64.standard.encode(value.bytes))),
      ("kind", .text(kind.valid)),
      ("name", .text(name.valid)),
      ("value", isText ? .text(value) : nil)
    )
  }

  fileprivate init(_ item: JSONItem) throws(ImportError) {
    kind = try item.required("kind").text()
    name = try item.required("name").text()
    if let encoded = try item.item("base64") {
      value = Base64.standard.decode(try encoded.text()).map { Text($0) }
    } else {
      value = try item.item("value")?.text()
    }
  }
}
