// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The address of a form that changes the reader's library.
public enum EditAddress: CaseIterable, Equatable, Sendable {
  /// Adds or removes a favorite.
  case favorite
  /// Saves the note of a favorite.
  case note
  /// Removes the chosen favorites.
  case removeFavorites
  /// Removes all favorites.
  case clearFavorites
  /// Marks all comics as unread.
  case clearReadMarks
  /// Forgets which comics were viewed.
  case clearHistory
  /// Marks a comic as read or unread.
  case read
  /// Reports that a comic was in view for a while.
  case viewed
  /// Marks a comic and all before it as read.
  case readOlder
  /// Shows a comic on dark pages as it was drawn, or by the setting.
  case drawn
  /// Changes settings.
  case settings
  /// Saves an album.
  case saveAlbum
  /// Removes a saved album.
  case removeAlbum
  /// Chooses the article about an album.
  case pickArticle
  /// Undoes the last change.
  case undo

  var path: Text {
    switch self {
    case .favorite: "/favorites/set"
    case .note: "/favorites/note"
    case .removeFavorites: "/favorites/remove"
    case .clearFavorites: "/favorites/clear"
    case .clearReadMarks: "/read/clear"
    case .clearHistory: "/history/clear"
    case .read: "/read/set"
    case .viewed: "/read/viewed"
    case .readOlder: "/read/older"
    case .drawn: "/pictures/drawn"
    case .settings: "/settings/set"
    case .saveAlbum: "/albums/save"
    case .removeAlbum: "/albums/remove"
    case .pickArticle: "/albums/article"
    case .undo: "/undo"
    }
  }

  /// Whether opening the address shows a page that asks first.
  var isConfirmed: Bool { self == .clearFavorites || self == .clearReadMarks }

  /// The page to show when the address is opened without a form.
  var home: Link {
    switch self {
    case .favorite, .note, .removeFavorites, .clearFavorites: .favorites
    case .settings, .clearReadMarks: .settings
    case .clearHistory: .history
    case .saveAlbum, .removeAlbum, .pickArticle: .savedAlbums
    case .read, .viewed, .readOlder, .drawn, .undo: .latest
    }
  }
}
