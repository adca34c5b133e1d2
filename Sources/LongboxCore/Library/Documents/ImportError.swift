// Longbox
// SPDX-License-Identifier: MIT

/// The lines of a list that name no comic.
public struct UnreadLines: Equatable, Sendable {
  /// One of them.
  public struct Line: Equatable, Sendable {
    /// Its number, from 1.
    public var number: Int
    /// Its beginning.
    public var text: Text

    /// The line in words.
    public var sentence: Text { "Line " + Text(decimal: number) + ": “" + text + "”" }
  }

  /// The maximum number of lines that are shown.
  private static var most: Int { 200 }

  /// The first ones.
  public private(set) var shown: [Line] = []
  /// How many there are in all.
  public private(set) var count = 0

  mutating func add(_ text: Text, number: Int) {
    count += 1
    if shown.count < Self.most { shown.append(Line(number: number, text: text.shortened(to: 40))) }
  }
}

/// Why an import was rejected, and where in the file.
public enum ImportError: Error, Equatable, Sendable {
  /// Neither a file nor a text was sent.
  case nothing
  /// Both a file and a text were sent.
  case bothFileAndText
  /// The form is incomplete or malformed.
  case malformedForm
  /// The file is longer than ``LibraryDocument/lengthLimit``.
  case tooLong
  /// The bytes aren't text.
  case notText
  /// Lines of a list name no comic; the others have these numbers.
  case unreadLines(UnreadLines, others: [Int])
  /// The text starts like JSON but is invalid; a sentence says where.
  case notJSON(Text)
  /// A list of numbers that is longer than any list of comics.
  case listTooLong
  /// JSON that contains neither a library nor a list.
  case foreign
  /// A library file of a later version.
  case newer(version: Int)
  /// An invalid value in a library file.
  case invalid(at: Text, Text)
  /// The library can't take what the file has.
  case notStored(LibraryError)
}

extension ImportError {
  /// A sentence that says what to do.
  public var sentence: Text {
    switch self {
    case .nothing: "Choose a file, or paste its text, and try again."
    case .bothFileAndText: "There is a file and a pasted text. Send one of them, not both."
    case .malformedForm: "The form arrived incomplete. Go back, load the page again, and try once more."
    case .tooLong: "Nothing was imported: a file may have at most 8 MB."
    case .notText:
      "Nothing was imported: the file is no text in UTF-8 or UTF-16, so it is neither JSON nor a list of numbers."
    case .unreadLines(let lines, _):
      if lines.count == 1, let line = lines.shown.first {
        "Nothing was imported: in line " + Text(decimal: line.number) + ", “" + line.text
          + "” is not the number of a comic."
      } else {
        "Nothing was imported: " + Text(decimal: lines.count)
          + " lines have neither the number nor the address of a comic."
      }
    case .notJSON(let reason): "Nothing was imported: the file is not whole JSON. " + reason
    case .listTooLong: "Nothing was imported: a list of numbers may have at most 1 MB."
    case .foreign:
      "Nothing was imported: this JSON is neither a library that Longbox exported nor a list of favorites."
    case .newer(let version):
      "Nothing was imported: the file has version " + Text(decimal: version)
        + ", which a newer Longbox wrote. Update this one first."
    case .invalid(let place, let problem): "Nothing was imported: " + place + " " + problem + "."
    case .notStored(.full): "Nothing was imported: your library has no room for all that is in the file."
    case .notStored: "Nothing was imported: the file has something that no library can hold."
    }
  }
}

#if !hasFeature(Embedded)
extension ImportError: CustomStringConvertible {
  /// The sentence as a `String`.
  public var description: String { sentence.description }
}
#endif
