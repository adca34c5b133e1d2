// Longbox
// SPDX-License-Identifier: MIT

/// What a quiz asks.
public enum QuizKind: UInt8, CaseIterable, Sendable {
  /// Name the tracks of an album, in any order.
  case tracks = 1
  /// Put the tracks of an album in order.
  case order = 2
  /// Which track comes after this one?
  case next = 3
  /// Which album of an artist is this track on?
  case albums = 4

  /// The word for the kind in keys and addresses; it never changes.
  public var word: Text {
    switch self {
    case .tracks: "tracks"
    case .order: "order"
    case .next: "next"
    case .albums: "albums"
    }
  }

  /// The kind of a word.
  public init?(word: Text) {
    for kind in Self.allCases where kind.word == word {
      self = kind
      return
    }
    return nil
  }

  /// What the quiz is called.
  public var title: Text {
    switch self {
    case .tracks: "Name the tracks"
    case .order: "Track order"
    case .next: "Which comes next?"
    case .albums: "Which album?"
    }
  }
}
