// Longbox
// SPDX-License-Identifier: MIT

/// A kind of quiz.
public enum QuizKind: UInt8, CaseIterable, Sendable {
  /// Name the tracks of an album, in any order.
  case tracks = 1
  /// Put the tracks of an album in order.
  case order = 2
  /// Which track comes after this one?
  case next = 3
  /// Which album of an artist is this track on?
  case albums = 4

  /// The word for the kind in keys and addresses; it must never change.
  public var word: Text {
    switch self {
    case .tracks: "tracks"
    case .order: "order"
    case .next: "next"
    case .albums: "albums"
    }
  }

  /// Parses a word.
  public init?(word: Text) {
    for kind in Self.allCases where kind.word == word {
      self = kind
      return
    }
    return nil
  }

  /// The title in the interface.
  public var title: Text {
    switch self {
    case .tracks: "Name the tracks"
    case .order: "Track order"
    case .next: "Which comes next?"
    case .albums: "Which album?"
    }
  }
}
