// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// A line of a transcript, parsed by xkcd's notation.
enum TranscriptLine: Equatable {
  /// A description: `[[A man flies.]]`.
  case scene(Text)
  /// Speech: `Man: How?`.
  case speech(speaker: Text, words: Text)
  /// A sound: `<<BOOM>>`.
  case sound(Text)
  /// Any other line.
  case plain(Text)

  /// The maximum length of a speaker's name in bytes; a later colon belongs to the sentence.
  private static let longestSpeaker = 40

  /// The nonempty lines of a transcript.
  static func lines(of transcript: Text) -> [TranscriptLine] {
    transcript.bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let line = line.trimmed()
      return line.isEmpty ? nil : TranscriptLine(line)
    }
  }

  private init(_ line: ArraySlice<UInt8>) {
    if let inside = Self.inside(line, open: UInt8(ascii: "["), close: UInt8(ascii: "]")) {
      self = .scene(inside)
    } else if let inside = Self.inside(line, open: UInt8(ascii: "<"), close: UInt8(ascii: ">")) {
      self = .sound(inside)
    } else if let inside = Self.inside(line, open: UInt8(ascii: "("), close: UInt8(ascii: ")")) {
      self = .plain(inside)
    } else if let colon = line.prefix(Self.longestSpeaker).firstIndex(of: UInt8(ascii: ":")),
      colon > line.startIndex,
      !line[..<colon].contains(where: {
        $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "\"")
      }),
      colon + 1 < line.endIndex, line[colon + 1].isASCIISpace
    {
      self = .speech(speaker: Text(line[..<colon]), words: Text(line[(colon + 1)...].trimmed()))
    } else {
      self = .plain(Text(line))
    }
  }

  /// The text in double brackets, if they enclose the whole line.
  private static func inside(_ line: ArraySlice<UInt8>, open: UInt8, close: UInt8) -> Text? {
    guard line.count > 4, line.prefix(2).allSatisfy({ $0 == open }),
      line.suffix(2).allSatisfy({ $0 == close })
    else { return nil }
    let inside = line.dropFirst(2).dropLast(2)
    guard !inside.contains(open) || !inside.contains(close) else { return nil }
    return Text(inside.trimmed())
  }

  @HTMLBuilder var html: HTML {
    switch self {
    case .scene(let text): p(.class("scene")) { text }
    case .speech(let speaker, let words):
      p(.class("speech")) {
        strong { speaker + ":" }
        " "
        words
      }
    case .sound(let text): p(.class("sound")) { text }
    case .plain(let text): p { text }
    }
  }
}
