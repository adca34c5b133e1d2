// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The address of a form that changes the reader's library.
public enum EditAddress: CaseIterable, Equatable, Sendable {
  /// Makes a comic a favorite, or takes that back.
  case favorite
  /// Keeps the note on a favorite.
  case note
  /// Removes all favorites.
  case clearFavorites
  /// Marks a comic as read or unread.
  case read
  /// Marks a comic and all before it as read.
  case readOlder
  /// Keeps how pages look.
  case look
  /// Keeps how comics are read.
  case reading
  /// Keeps how Longbox behaves.
  case habits
  /// Saves an album.
  case saveAlbum
  /// Removes a saved album.
  case removeAlbum
  /// Takes the last change back.
  case undo

  var path: Text {
    switch self {
    case .favorite: "/favorites/set"
    case .note: "/favorites/note"
    case .clearFavorites: "/favorites/clear"
    case .read: "/read/set"
    case .readOlder: "/read/older"
    case .look: "/settings/look"
    case .reading: "/settings/reading"
    case .habits: "/settings/habits"
    case .saveAlbum: "/albums/save"
    case .removeAlbum: "/albums/remove"
    case .undo: "/undo"
    }
  }

  /// Where the address leads when it is opened without a form.
  var home: Link {
    switch self {
    case .favorite, .note, .clearFavorites: .favorites
    case .look, .reading, .habits: .settings
    case .saveAlbum, .removeAlbum: .savedAlbums
    case .read, .readOlder, .undo: .latest
    }
  }
}
