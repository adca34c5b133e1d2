// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The next page's message about an edit, with its undo.
///
/// A form is answered by a redirect, so the notice is stored in a local register of the library.
struct Notice: Equatable {
  enum Kind: Equatable {
    case favoriteAdded(Comic.Number)
    case favoriteRemoved(Comic.Number)
    case noteSaved(Comic.Number)
    case favoritesCleared
    case markedRead(Comic.Number)
    case markedUnread(Comic.Number)
    case markedOlder(Comic.Number)
    case lookSaved
    case albumSaved
    case albumRemoved
    case undone
  }

  /// The maximum age of a notice to show, in milliseconds.
  private static let age: UInt64 = 60_000

  let kind: Kind
  let undo: Undo
  /// The time of the edit, in milliseconds since 1970.
  private(set) var time: UInt64 = 0
  private(set) var isShown = false

  init(_ kind: Kind, _ undo: Undo) {
    self.kind = kind
    self.undo = undo
  }

  /// The last notice, shown or not.
  init?(in library: Library) {
    guard let key = Self.key, let entry = library.entry(key), let value = entry.value else { return nil }
    let bytes = value.bytes
    guard bytes.count >= 6, let kind = Self.kind(Array(bytes.prefix(5))) else { return nil }
    self.kind = kind
    isShown = bytes[bytes.startIndex + 5] == 1
    undo = (try? Undo(decoding: Array(bytes.dropFirst(6)))) ?? Undo()
    time = entry.timestamp.time
  }

  /// Stores the notice for the next page.
  func leave(in replica: inout Replica, at now: UInt64) throws(LibraryError) {
    guard let key = Self.key else { return }
    var value = Self.bytes(of: kind) + [isShown ? 1 : 0]
    let encoded = undo.encoded()
    // An undo that is too long to store is dropped; such edits ask for confirmation first.
    if value.count + encoded.count <= LibraryLimits.valueLength { value += encoded }
    try replica.library.set(key, to: Text(value), timestamp: replica.editTime(at: now).timestamp)
  }

  /// The notice to show: not yet shown, and not too old.
  static func pending(in library: Library, at now: UInt64) -> Notice? {
    guard let notice = Notice(in: library), !notice.isShown, now < notice.time &+ age else { return nil }
    return notice
  }

  static func markShown(in replica: inout Replica, at now: UInt64) {
    guard var notice = Notice(in: replica.library), !notice.isShown else { return }
    notice.isShown = true
    // If the library is full, the notice is shown again.
    try? notice.leave(in: &replica, at: now)
  }

  private static var key: LibraryKey? {
    do throws(LibraryError) { return try LibraryKey("local/notice") } catch { return nil }
  }

  /// u8 kind, u32 comic.
  private static func bytes(of kind: Kind) -> [UInt8] {
    let (code, comic): (UInt8, Comic.Number?) =
      switch kind {
      case .favoriteAdded(let comic): (1, comic)
      case .favoriteRemoved(let comic): (2, comic)
      case .noteSaved(let comic): (3, comic)
      case .favoritesCleared: (4, nil)
      case .markedRead(let comic): (5, comic)
      case .markedUnread(let comic): (6, comic)
      case .markedOlder(let comic): (7, comic)
      case .lookSaved: (8, nil)
      case .undone: (9, nil)
      case .albumSaved: (20, nil)
      case .albumRemoved: (21, nil)
      }
    let number = comic?.value ?? 0
    return [code] + [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private static func kind(_ bytes: [UInt8]) -> Kind? {
    var number = 0
    for (place, byte) in bytes.dropFirst().enumerated() where place < 3 { number |= Int(byte) << (8 * place) }
    let comic = Comic.Number(number)
    switch (bytes[0], comic) {
    case (1, let comic?): return .favoriteAdded(comic)
    case (2, let comic?): return .favoriteRemoved(comic)
    case (3, let comic?): return .noteSaved(comic)
    case (4, _): return .favoritesCleared
    case (5, let comic?): return .markedRead(comic)
    case (6, let comic?): return .markedUnread(comic)
    case (7, let comic?): return .markedOlder(comic)
    case (8, _): return .lookSaved
    case (9, _): return .undone
    case (20, _): return .albumSaved
    case (21, _): return .albumRemoved
    default: return nil
    }
  }
}

extension Notice {
  var sentence: Text {
    switch kind {
    case .favoriteAdded(let comic): Self.name(comic) + " is a favorite now."
    case .favoriteRemoved(let comic): Self.name(comic) + " was removed from your favorites."
    case .noteSaved(let comic): "The note on comic " + Text(decimal: comic.value) + " was saved."
    case .favoritesCleared: "Your favorites were cleared."
    case .markedRead(let comic): Self.name(comic) + " counts as read."
    case .markedUnread(let comic): Self.name(comic) + " counts as unread."
    case .markedOlder(let comic): Self.name(comic) + " and all before it count as read."
    case .lookSaved: "The settings were saved."
    case .albumSaved: "The album was saved. It will be there without a connection, too."
    case .albumRemoved: "The album was removed from what you saved."
    case .undone: "That was taken back."
    }
  }

  private static func name(_ comic: Comic.Number) -> Text { "Comic " + Text(decimal: comic.value) }
}
