// Longbox
// SPDX-License-Identifier: MIT

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
