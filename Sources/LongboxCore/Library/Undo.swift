// Longbox
// SPDX-License-Identifier: MIT

/// What takes an edit back: the registers that it wrote, with what they held before.
///
/// Undoing is an edit like any other, with a stamp of its own, so that it travels. A register that holds something
/// else by now, because it was edited again here or on another device, is left alone.
public struct Undo: Equatable, Sendable {
  /// One register.
  public struct Item: Equatable, Sendable {
    /// The register's name.
    public let key: LibraryKey
    /// What it held, or nothing.
    public let before: Text?
    /// What the edit wrote, or nothing where it removed.
    public let after: Text?

    /// Makes an item.
    public init(key: LibraryKey, before: Text?, after: Text?) {
      self.key = key
      self.before = before
      self.after = after
    }
  }

  /// The registers in the order in which they were written.
  public private(set) var items: [Item]

  /// Makes an undo of nothing, or of some registers.
  public init(_ items: [Item] = []) {
    self.items = items
  }

  init(key: LibraryKey, before: Text?, after: Text?) {
    items = [Item(key: key, before: before, after: after)]
  }

  /// Whether there is nothing to take back.
  public var isEmpty: Bool { items.isEmpty }

  /// Adds what takes a further write back.
  mutating func append(_ other: Undo) {
    items.append(contentsOf: other.items)
  }
}

extension Library {
  /// Takes an edit back.
  /// - Returns: what does the edit again.
  /// - Throws: `LibraryError.full`; what was put back until then stays.
  @discardableResult
  public mutating func apply(_ undo: Undo, at moment: Moment) throws(LibraryError) -> Undo {
    var redo = Undo()
    for item in undo.items.reversed() where value(item.key) == item.after {
      redo.append(try set(item.key, to: item.before, stamp: moment.stamp))
    }
    return redo
  }
}
