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

/// A value in an imported file, with its place for messages, such as "favorites, entry 2".
struct JSONItem {
  let value: JSONValue
  /// Empty for the whole file.
  let place: Text

  init(_ value: JSONValue, at place: Text = .empty) {
    self.value = value
    self.place = place
  }

  func invalid(_ problem: Text) -> ImportError { .invalid(at: place.isEmpty ? "the file" : place, problem) }

  private var wrongKind: ImportError { invalid("is not of the right kind") }

  private func item(_ name: Text, _ value: JSONValue) -> JSONItem {
    JSONItem(value, at: place.isEmpty ? name : place + ", " + name)
  }

  /// A member of an object; nil if it is missing or null.
  func item(_ name: Text) throws(ImportError) -> JSONItem? {
    guard case .object(let members) = value else { throw wrongKind }
    for member in members where member.name == name {
      return member.value == .null ? nil : item(name, member.value)
    }
    return nil
  }

  func required(_ name: Text) throws(ImportError) -> JSONItem {
    guard let item = try item(name) else { throw invalid("has no “" + name + "”") }
    return item
  }

  /// The entries of a list; in messages they count from 1.
  func entries<Entry>(_ read: (JSONItem) throws(ImportError) -> Entry) throws(ImportError) -> [Entry] {
    guard case .list(let values) = value else { throw wrongKind }
    var entries: [Entry] = []
    for (place, value) in values.enumerated() {
      entries.append(try read(item("entry " + Text(decimal: place + 1), value)))
    }
    return entries
  }

  /// The members of an object.
  func members<Member>(_ read: (Text, JSONItem) throws(ImportError) -> Member) throws(ImportError) -> [Member]
  {
    guard case .object(let values) = value else { throw wrongKind }
    var members: [Member] = []
    for value in values { members.append(try read(value.name, item(value.name, value.value))) }
    return members
  }

  func text() throws(ImportError) -> Text {
    guard case .text(let text) = value else { throw wrongKind }
    return text
  }

  /// A number of 32 bits, the same on all hosts.
  func integer() throws(ImportError) -> Int {
    guard let integer = Int32(exactly: try longInteger()) else { throw wrongKind }
    return Int(integer)
  }

  func longInteger() throws(ImportError) -> Int64 {
    guard let integer = value.integer else { throw wrongKind }
    return integer
  }

  func instant() throws(ImportError) -> Instant {
    let text = try text()
    guard let instant = Instant(text) else {
      throw invalid("“" + text.shortened(to: 40) + "” is not a time such as 2026-11-21T11:00:00Z")
    }
    return instant
  }
}

/// A time in a library's file, in ISO 8601 UTC with milliseconds: `2026-11-21T11:00:00.000Z`.
struct Instant: Equatable, Sendable {
  /// Since 1970-01-01 UTC.
  let milliseconds: UInt64

  private static var dayLength: UInt64 { 86_400_000 }
  /// The last millisecond of the year 9999.
  private static var greatest: UInt64 { 253_402_300_799_999 }

  init(milliseconds: UInt64) {
    self.milliseconds = min(milliseconds, Self.greatest)
  }

  /// Parses a time with or without fractions of a second, in UTC or with an offset.
  init?(_ text: Text) {
    var reader = DigitReader(rest: text.bytes)
    guard
      let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
      let day = reader.number(2), let date = CalendarDate(year: year, month: month, day: day), year >= 1970,
      reader.skip("T"), let hour = reader.number(2), hour < 24, reader.skip(":"),
      let minute = reader.number(2), minute < 60, reader.skip(":"), let second = reader.number(2),
      second < 60,
      let fraction = reader.fraction(), let offset = reader.offset(), reader.rest.isEmpty
    else { return nil }
    // The minutes need 64 bits. `&*` can't overflow with a four-digit year; checked multiplication needs a runtime
    // function that the WebAssembly lacks.
    let minutes = Int64(date.daysSince1970) &* 1440 + Int64(hour * 60 + minute - offset)
    guard minutes >= 0 else { return nil }
    self.init(milliseconds: UInt64(minutes) &* 60_000 + UInt64(second * 1000 + fraction))
  }

  var text: Text {
    let rest = Int(milliseconds % Self.dayLength)
    let clock =
      Text(rest / 3_600_000, digits: 2) + ":" + Text(rest / 60_000 % 60, digits: 2) + ":"
      + Text(rest / 1000 % 60, digits: 2) + "." + Text(rest % 1000, digits: 3)
    return (CalendarDate(time: milliseconds)?.iso8601 ?? .empty) + "T" + clock + "Z"
  }
}

/// Reads the parts of a time.
private struct DigitReader {
  var rest: ArraySlice<UInt8>

  mutating func number(_ digits: Int) -> Int? {
    guard rest.count >= digits, let number = Text(rest.prefix(digits)).number else { return nil }
    rest = rest.dropFirst(digits)
    return number
  }

  mutating func skip(_ letter: StaticString) -> Bool {
    guard let first = rest.first, letter.isEqual(to: [first]) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Milliseconds after a point; 0 without one, nil without digits after it.
  mutating func fraction() -> Int? {
    guard skip(".") else { return 0 }
    let digits = rest.prefix { $0.isASCIIDigit }
    guard !digits.isEmpty else { return nil }
    rest = rest.dropFirst(digits.count)
    return Text(Array(digits.prefix(3)) + repeatElement(UInt8(ascii: "0"), count: max(0, 3 - digits.count)))
      .number
  }

  /// The minutes that the clock is ahead of UTC.
  mutating func offset() -> Int? {
    if skip("Z") { return 0 }
    let isAhead = skip("+")
    guard isAhead || skip("-"), let hours = number(2) else { return nil }
    _ = skip(":")
    guard let minutes = number(2), hours < 24, minutes < 60 else { return nil }
    return (isAhead ? 1 : -1) * (hours * 60 + minutes)
  }
}
