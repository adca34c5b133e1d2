// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The next page's message about an edit, with its undo.
///
/// A form is answered by a redirect, so the notice is stored in a local register of the library: u8 code of the
/// kind, u32 its number, u8 1 if shown, u64 time, the undo.
struct Notice: Equatable {
  enum Kind: Equatable {
    case favoriteAdded(Comic.Number)
    case favoriteRemoved(Comic.Number)
    case noteSaved(Comic.Number)
    case favoritesRemoved(Int)
    case favoritesCleared
    case readMarksCleared
    case historyCleared
    case markedRead(Comic.Number)
    case markedUnread(Comic.Number)
    case markedOlder(Comic.Number)
    case settingsSaved
    case albumSaved
    case albumsRemoved(Int)
    case undone
  }

  /// The maximum age of a notice to show, in milliseconds.
  private static let age: UInt64 = 60_000
  /// How long the undo of one removal also covers the next, in milliseconds: as long as the message is shown, and a little.
  private static let extensionAge: UInt64 = 10_000
  /// The bytes of a stored notice before its undo.
  private static let headerLength = 14

  let kind: Kind
  let undo: Undo
  /// The host's time when the notice was left or shown, in milliseconds since 1970.
  ///
  /// It is not the register's time, which is corrected if the device's clock is wrong.
  private(set) var time: UInt64 = 0
  private(set) var isShown = false

  init(_ kind: Kind, _ undo: Undo) {
    self.kind = kind
    self.undo = undo
  }

  /// The last notice, shown or not.
  init?(in library: Library) {
    guard let key = Self.key, let value = library.value(key), value.count >= Self.headerLength else {
      return nil
    }
    let bytes = Array(value.bytes)
    let number = Int(truncatingIfNeeded: Self.number(bytes[1..<5]))
    guard let kind = Self.kind(code: bytes[0], number: number) else { return nil }
    self.kind = kind
    isShown = bytes[5] == 1
    time = Self.number(bytes[6..<Self.headerLength])
    undo = (try? Undo(decoding: Array(bytes[Self.headerLength...]))) ?? Undo()
  }

  /// Whether the notice can hold an undo; one that is too long is dropped.
  static func holds(_ undo: Undo) -> Bool {
    headerLength + undo.encoded().count <= LibraryLimits.valueLength
  }

  /// Stores the notice for the next page; in a full library, the page has none.
  func leave(in replica: inout Replica, at now: UInt64) {
    guard let key = Self.key else { return }
    let (code, number) = Self.stored(kind)
    var value = [code] + Self.bytes(of: UInt64(truncatingIfNeeded: number), count: 4)
    value.append(isShown ? 1 : 0)
    value += Self.bytes(of: now, count: 8)
    if Self.holds(undo) { value += undo.encoded() }
    let timestamp = replica.editTime(at: now).timestamp
    do throws(LibraryError) {
      try replica.library.set(key, to: Text(value), timestamp: timestamp)
    } catch {
      // The notice of an earlier edit would be misleading.
      _ = try? replica.library.set(key, to: nil, timestamp: timestamp)
    }
  }

  /// The notice to show: not yet shown, and not too old.
  static func pending(in library: Library, at now: UInt64) -> Notice? {
    last(in: library, at: now).flatMap { $0.isShown ? nil : $0 }
  }

  /// The last notice, shown or not, if it is not too old.
  ///
  /// It may come from a node whose clock is slightly ahead.
  static func last(in library: Library, at now: UInt64) -> Notice? {
    Notice(in: library).flatMap { max(now, $0.time) - min(now, $0.time) < age ? $0 : nil }
  }

  /// This notice of one removal; if another was left a moment ago, and an undo can hold both, one of both.
  func extending(_ library: Library, at now: UInt64) -> Notice {
    guard let earlier = Self.last(in: library, at: now),
      max(now, earlier.time) - earlier.time < Self.extensionAge,
      !earlier.undo.isEmpty, !undo.isEmpty
    else { return self }
    let both = Undo(earlier.undo.items + undo.items)
    guard Self.holds(both) else { return self }
    switch (earlier.kind, kind) {
    case (.favoriteRemoved, .favoriteRemoved), (.favoritesRemoved, .favoriteRemoved):
      return Notice(.favoritesRemoved(both.items.count), both)
    case (.albumsRemoved(let count), .albumsRemoved): return Notice(.albumsRemoved(count + 1), both)
    default: return self
    }
  }

  static func markShown(in replica: inout Replica, at now: UInt64) {
    guard var notice = Notice(in: replica.library), !notice.isShown else { return }
    notice.isShown = true
    notice.leave(in: &replica, at: now)
  }

  private static var key: LibraryKey? {
    do throws(LibraryError) { return try LibraryKey("local/notice") } catch { return nil }
  }

  /// How a kind is stored: a code of its own, and a comic's number or a count.
  private static func stored(_ kind: Kind) -> (code: UInt8, number: Int) {
    switch kind {
    case .favoriteAdded(let comic): (1, comic.value)
    case .favoriteRemoved(let comic): (2, comic.value)
    case .noteSaved(let comic): (3, comic.value)
    case .favoritesCleared: (4, 0)
    case .markedRead(let comic): (5, comic.value)
    case .markedUnread(let comic): (6, comic.value)
    case .markedOlder(let comic): (7, comic.value)
    case .settingsSaved: (8, 0)
    case .undone: (9, 0)
    case .readMarksCleared: (10, 0)
    case .favoritesRemoved(let count): (11, count)
    case .historyCleared: (12, 0)
    case .albumSaved: (20, 0)
    case .albumsRemoved(let count): (21, count)
    }
  }

  private static func kind(code: UInt8, number: Int) -> Kind? {
    switch (code, Comic.Number(number)) {
    case (1, let comic?): .favoriteAdded(comic)
    case (2, let comic?): .favoriteRemoved(comic)
    case (3, let comic?): .noteSaved(comic)
    case (4, _): .favoritesCleared
    case (5, let comic?): .markedRead(comic)
    case (6, let comic?): .markedUnread(comic)
    case (7, let comic?): .markedOlder(comic)
    case (8, _): .settingsSaved
    case (9, _): .undone
    case (10, _): .readMarksCleared
    case (11, _): .favoritesRemoved(number)
    case (12, _): .historyCleared
    case (20, _): .albumSaved
    case (21, _): .albumsRemoved(number)
    default: nil
    }
  }

  /// The bytes of a number, the least significant first.
  private static func bytes(of number: UInt64, count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension Notice {
  var sentence: Text {
    switch kind {
    case .favoriteAdded(let comic): "Added " + Text(decimal: comic.value) + " to favorites."
    case .favoriteRemoved(let comic): "Removed " + Text(decimal: comic.value) + " from favorites."
    case .noteSaved(let comic): "Note on " + Text(decimal: comic.value) + " saved."
    case .favoritesRemoved(1): "Removed 1 favorite."
    case .favoritesRemoved(let count): "Removed " + Text(grouped: count) + " favorites."
    case .favoritesCleared: "Favorites cleared."
    case .readMarksCleared: "Marked all comics as unread."
    case .historyCleared: "Recently viewed cleared."
    case .markedRead(let comic): "Marked " + Text(decimal: comic.value) + " as read."
    case .markedUnread(let comic): "Marked " + Text(decimal: comic.value) + " as unread."
    case .markedOlder(let comic): "Marked 1 to " + Text(decimal: comic.value) + " as read."
    case .settingsSaved: "Settings saved."
    case .albumSaved: "Album saved for offline."
    case .albumsRemoved(let count) where count > 1: "Removed " + Text(grouped: count) + " albums."
    case .albumsRemoved: "Album removed."
    case .undone: "Undone."
    }
  }
}
