// Longbox
// SPDX-License-Identifier: MIT

/// Why nothing was taken from a file, and where in the file it is.
public enum ImportError: Error, Equatable {
  /// Neither a file nor a text was sent.
  case nothing
  /// A file and a text were sent, and which of them counts nobody knows.
  case bothFileAndText
  /// The form is cut, or not built as browsers build it.
  case malformedForm
  /// The bytes are no text.
  case notText
  /// A line of a list has something that is no number.
  case notANumber(line: Int, found: String)
  /// The text begins as JSON does, but is not: the parser's own words.
  case notJSON(String)
  /// JSON that holds neither a library nor a list.
  case foreign
  /// A library's file of a later version.
  case newer(version: Int)
  /// Something in a library's file is not what it has to be.
  case invalid(at: String, String)
}

extension ImportError: CustomStringConvertible {
  /// A sentence that says what to do.
  public var description: String {
    switch self {
    case .nothing: "Choose a file, or paste its text, and try again."
    case .bothFileAndText: "There is a file and a pasted text. Send one of them, not both."
    case .malformedForm: "The form arrived incomplete. Go back, load the page again, and try once more."
    case .notText:
      "Nothing was imported: the file is no text in UTF-8, so it is neither JSON nor a list of numbers."
    case .notANumber(let line, let found):
      "Nothing was imported: in line \(line), “\(found)” is not the number of a comic."
    case .notJSON(let reason): "Nothing was imported: the file is not whole JSON. \(reason)"
    case .foreign:
      "Nothing was imported: this JSON is neither a library that Longbox exported nor a list of favorites."
    case .newer(let version):
      "Nothing was imported: the file has version \(version), which a newer Longbox wrote. Update this one first."
    case .invalid(let place, let problem): "Nothing was imported: \(place) \(problem)."
    }
  }
}
