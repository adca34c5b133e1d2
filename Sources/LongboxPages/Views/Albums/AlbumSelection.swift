// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// A filter for an artist's albums.
public enum AlbumSelection: CaseIterable, Equatable, Sendable {
  /// All kinds.
  case all
  /// Albums and compilations.
  case albums
  /// EPs.
  case eps
  /// Singles.
  case singles
  /// Live albums.
  case live

  /// The word in an address; empty for all albums.
  private var word: Text {
    switch self {
    case .all: .empty
    case .albums: "albums"
    case .eps: "eps"
    case .singles: "singles"
    case .live: "live"
    }
  }

  /// The query field; empty for all albums.
  var field: Text { self == .all ? .empty : "show=" + word }
}

extension AlbumSelection {
  /// Parses the word in an address.
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
