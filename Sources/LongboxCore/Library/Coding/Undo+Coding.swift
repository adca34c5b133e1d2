// Longbox
// SPDX-License-Identifier: MIT

/// The encoding of an undo, which `Notice` keeps in a local register:
///
///     varint  number of items, then each:
///       varint  length of the key, then the key
///       varint  0 for no value before, else 1 + length, then the value
///       varint  0 for a removal, else 1 + length, then the value
extension Undo {
  /// Encodes the undo.
  public func encoded() -> [UInt8] {
    var body: [UInt8] = []
    body.appendCount(items.count)
    for item in items {
      body.appendCount(item.key.text.count)
      body.append(contentsOf: item.key.text.bytes)
      for value in [item.before, item.after] {
        body.appendCount(value.map { $0.count + 1 } ?? 0)
        if let value { body.append(contentsOf: value.bytes) }
      }
    }
    return Envelope.seal(body, as: .undo)
  }

  /// Decodes an undo.
  /// - Throws: `LibraryError` if the bytes are invalid or exceed the limits.
  public init(decoding bytes: [UInt8]) throws(LibraryError) {
    var reader = try Envelope.open(bytes, as: .undo)
    let count = try reader.count(atMost: LibraryLimits.entryCount)
    guard count <= reader.rest.count / 4 else { throw .malformed }
    var items: [Item] = []
    items.reserveCapacity(count)
    for _ in 0..<count {
      let length = try reader.count(atMost: LibraryLimits.keyLength)
      let key = try LibraryKey(Text(try reader.slice(length)))
      let before = try reader.optionalValue()
      items.append(Item(key: key, before: before, after: try reader.optionalValue()))
    }
    guard reader.isAtEnd else { throw .malformed }
    self.init(items)
  }
}

extension ByteReader {
  fileprivate mutating func optionalValue() throws(LibraryError) -> Text? {
    let length = try count(atMost: LibraryLimits.valueLength + 1)
    return length > 0 ? Text(try slice(length - 1)) : nil
  }
}
