// Longbox
// SPDX-License-Identifier: MIT

/// Reverts an edit: the registers that it wrote, with their previous values.
///
/// Undoing is an edit with its own timestamp, so it is synced. Registers that have been changed again since,
/// here or on another device, stay as they are.
public struct Undo: Equatable, Sendable {
  /// One register.
  public struct Item: Equatable, Sendable {
    public let key: LibraryKey
    /// The previous value, or nil.
    public let before: Text?
    /// The value that the edit wrote, or nil if it removed the value.
    public let after: Text?

    public init(key: LibraryKey, before: Text?, after: Text?) {
      self.key = key
      self.before = before
      self.after = after
    }
  }

  /// The registers in the order of writing.
  public private(set) var items: [Item]

  /// Creates an undo, by default of nothing.
  public init(_ items: [Item] = []) {
    self.items = items
  }

  init(key: LibraryKey, before: Text?, after: Text?) {
    items = [Item(key: key, before: before, after: after)]
  }

  /// Whether there is nothing to undo.
  public var isEmpty: Bool { items.isEmpty }

  mutating func append(_ other: Undo) {
    items.append(contentsOf: other.items)
  }
}

extension Library {
  /// Undoes an edit.
  /// - Returns: the undo of this undo.
  /// - Throws: `LibraryError.full`; registers restored before the error stay restored.
  @discardableResult
  public mutating func apply(_ undo: Undo, at editTime: EditTime) throws(LibraryError) -> Undo {
    var redo = Undo()
    for item in undo.items.reversed() where holds(item.after, item.key) {
      redo.append(try set(item.key, to: item.before, timestamp: editTime.timestamp))
    }
    return redo
  }

  /// Whether a register holds what an edit wrote; an undo may have added the age to a read mark.
  private func holds(_ written: Text?, _ key: LibraryKey) -> Bool {
    let value = value(key)
    guard key.text.starts(with: ReadMarks.prefix) else { return value == written }
    return value?.bytes.first == written?.bytes.first
  }
}

/// The encoding of an undo, which `Notice` keeps in a local register:
///
///     varint  number of items, then each:
///       varint  length of the key, then the key
///       varint  0 for no value before, else 1 + length, then the value
///       varint  0 for a removal, else 1 + length, then the value
extension Undo {
  public func encoded() -> [UInt8] {
    var body: [UInt8] = []
    body.appendCount(items.count)
    for item in items {
      body.appendCount(item.key.text.count)
      body.append(contentsOf: item.key.text.bytes)
      body.append(value: item.before)
      body.append(value: item.after)
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
      let before = try reader.value()
      items.append(Item(key: key, before: before, after: try reader.value()))
    }
    guard reader.isAtEnd else { throw .malformed }
    self.init(items)
  }
}
