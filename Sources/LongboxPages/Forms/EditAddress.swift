// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The address of a form that changes the reader's library.
public enum EditAddress: CaseIterable, Equatable, Sendable {
  /// Adds or removes a favorite.
  case favorite
  /// Saves the note of a favorite.
  case note
  /// Removes all favorites.
  case clearFavorites
  /// Marks a comic as read or unread.
  case read
  /// Marks a comic and all before it as read.
  case readOlder
  /// Saves the appearance.
  case look
  /// Saves how comics are read.
  case reading
  /// Saves the default search, and whether comics are kept.
  case habits
  /// Saves an album.
  case saveAlbum
  /// Removes a saved album.
  case removeAlbum
  /// Undoes the last change.
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

  /// The page to show when the address is opened without a form.
  var home: Link {
    switch self {
    case .favorite, .note, .clearFavorites: .favorites
    case .look, .reading, .habits: .settings
    case .saveAlbum, .removeAlbum: .savedAlbums
    case .read, .readOlder, .undo: .latest
    }
  }
}
