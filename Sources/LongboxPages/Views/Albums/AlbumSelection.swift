// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// Which of an artist's albums are shown.
public enum AlbumSelection: CaseIterable, Equatable, Sendable {
  /// All of them.
  case all
  /// Whole records.
  case albums
  /// Short ones.
  case eps
  /// Songs.
  case singles
  /// Played before an audience.
  case live

  /// The word in an address; none for all albums.
  private var word: Text {
    switch self {
    case .all: .empty
    case .albums: "albums"
    case .eps: "eps"
    case .singles: "singles"
    case .live: "live"
    }
  }

  /// The field of an address for it.
  var field: Text { self == .all ? .empty : "show=" + word }
}

extension AlbumSelection {
  /// Reads the word in an address.
  public init?(word: Text) {
    guard let kind = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = kind
  }

  var name: Text {
    switch self {
    case .all: "All"
    case .albums: "Albums"
    case .eps: "EPs"
    case .singles: "Singles"
    case .live: "Live"
    }
  }

  func shows(_ album: Album) -> Bool {
    switch (self, album.kind) {
    case (.all, _), (.albums, .album), (.albums, .compilation): true
    case (.eps, .ep), (.singles, .single), (.live, .live): true
    default: false
    }
  }
}
