// Longbox
// SPDX-License-Identifier: MIT

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
  /// A line of a list contains something that isn't a number.
  case notANumber(line: Int, found: Text)
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
      "Nothing was imported: the file is no text in UTF-8, so it is neither JSON nor a list of numbers."
    case .notANumber(let line, let found):
      "Nothing was imported: in line " + Text(decimal: line) + ", “" + found
        + "” is not the number of a comic."
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
