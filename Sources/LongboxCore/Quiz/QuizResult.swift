// Longbox
// SPDX-License-Identifier: MIT

/// What a reader achieved in one finished quiz.
public struct QuizResult: Equatable, Sendable {
  public let kind: QuizKind
  /// The identifier of the album or, for *Which album?*, of the artist.
  public let subject: Text
  /// The name of the album or artist.
  public let name: Text
  /// The digest of the titles asked for, see ``QuizAlbum/digest``.
  public let digest: UInt64
  /// The result for each track; for *Which album?*, for the tracks of all albums.
  public let marks: [QuizMark]
  /// How long it took.
  public let milliseconds: UInt64
  /// Whether it counts for the best; practice of missed tracks doesn't.
  public let isWhole: Bool

  public init(
    kind: QuizKind,
    subject: Text,
    name: Text,
    digest: UInt64,
    marks: [QuizMark],
    milliseconds: UInt64,
    isWhole: Bool
  ) {
    self.kind = kind
    self.subject = subject
    self.name = name
    self.digest = digest
    self.marks = marks
    self.milliseconds = milliseconds
    self.isWhole = isWhole
  }

  /// The number of tracks asked for.
  public var total: Int { marks.count { $0 != .notAsked } }
  /// The number of right tracks, including those with help.
  public var right: Int { marks.count { $0 == .right || $0 == .helped } }
  /// The number of right tracks with help.
  public var helped: Int { marks.count { $0 == .helped } }
  public var missed: [Int] { marks.indices.filter { marks[$0] == .missed } }
}

/// The result for a track.
public enum QuizMark: UInt8, Sendable {
  /// The quiz didn't ask for it.
  case notAsked = 0
  case right = 1
  /// Right with a hint, or not at the first try.
  case helped = 2
  /// Wrong or unanswered.
  case missed = 3
}

extension QuizResult {
  /// The result as a text to share, without spoilers: a square for each track, ten per line.
  ///
  /// Green is right, yellow right with help, black missed. The lines above give the numbers in words.
  public var shareText: Text {
    var text: Text = "Longbox quiz: "
    text = text + name + "\n" + kind.title + ": " + Text(decimal: right) + " of " + Text(decimal: total)
    if helped > 0 { text = text + ", " + Text(decimal: helped) + " with help" }
    text = text + ", " + Text(duration: milliseconds) + "\n"
    var count = 0
    for mark in marks {
      guard let square = mark.square else { continue }
      text = text + (count > 0 && count % 10 == 0 ? "\n" : "") + square
      count += 1
    }
    return text
  }
}

extension QuizMark {
  fileprivate var square: Text? {
    switch self {
    case .notAsked: nil
    case .right: "🟩"
    case .helped: "🟨"
    case .missed: "⬛"
    }
  }
}
