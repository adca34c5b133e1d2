// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// An order of the favorites.
public enum FavoriteOrder: CaseIterable, Equatable, Sendable {
  /// The one added last comes first.
  case newest
  /// By the number of the comic.
  case number
  /// By the title.
  case title

  var word: Text {
    switch self {
    case .newest: "newest"
    case .number: "number"
    case .title: "title"
    }
  }

  var name: Text {
    switch self {
    case .newest: "Newest"
    case .number: "Number"
    case .title: "Title"
    }
  }

  init?(word: Text) {
    guard let order = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = order
  }
}

extension FavoriteOrder {
  /// Where the reader's last choice is kept, on this host only.
  private static var key: LibraryKey? {
    do throws(LibraryError) { return try LibraryKey("local/favoriteOrder") } catch { return nil }
  }

  /// The reader's last choice.
  init(in library: Library) {
    self = Self.key.flatMap { library.entry($0)?.value }.flatMap { FavoriteOrder(word: $0) } ?? .newest
  }

  /// Stores the choice, if it is another than before.
  func keep(in replica: inout Replica, at now: UInt64) throws(LibraryError) {
    guard let key = Self.key, self != FavoriteOrder(in: replica.library) else { return }
    try replica.library.set(key, to: word, timestamp: replica.editTime(at: now).timestamp)
  }
}
