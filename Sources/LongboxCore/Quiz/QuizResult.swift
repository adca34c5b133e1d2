// Longbox
// SPDX-License-Identifier: MIT

/// How a track was answered.
public enum QuizMark: UInt8, Sendable {
  /// It was not asked.
  case notAsked = 0
  /// It was right.
  case right = 1
  /// It was right with a hint, or not at the first try.
  case helped = 2
  /// It was wrong, or not answered.
  case missed = 3
}

/// How a quiz went.
public struct QuizResult: Equatable, Sendable {
  /// What was asked.
  public let kind: QuizKind
  /// The album or, of *Which album?*, the artist.
  public let subject: Text
  /// What that is called.
  public let name: Text
  /// The digest of the titles.
  public let digest: UInt64
  /// How each track was answered; of *Which album?*, the tracks of all albums.
  public let marks: [QuizMark]
  /// How long it took.
  public let milliseconds: UInt64
  /// Whether it counts for the best: not where only what was missed before was practised.
  public let isWhole: Bool

  /// Makes a result.
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

  /// How many were asked.
  public var total: Int { marks.count { $0 != .notAsked } }
  /// How many were right, those with help too.
  public var right: Int { marks.count { $0 == .right || $0 == .helped } }
  /// How many of them with help.
  public var helped: Int { marks.count { $0 == .helped } }
  /// The tracks that were missed.
  public var missed: [Int] { marks.indices.filter { marks[$0] == .missed } }
}

extension QuizResult {
  /// The result as a text to share that gives no answer away: a square for each track.
  ///
  /// Green is right, yellow right with help, black missed; ten to a line. The numbers above say the same in words.
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

extension Text {
  /// A duration as minutes and seconds, `3:41`, or hours too, `1:03:41`; parts of a second are cut off.
  public init(duration milliseconds: UInt64) {
    let seconds = Int(truncatingIfNeeded: min(milliseconds / 1000, 359_999))
    let minutes = Text(seconds / 60 % 60, digits: seconds >= 3600 ? 2 : 1)
    let rest = minutes + ":" + Text(seconds % 60, digits: 2)
    self = seconds >= 3600 ? Text(decimal: seconds / 3600) + ":" + rest : rest
  }
}
