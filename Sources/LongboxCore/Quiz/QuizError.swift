// Longbox
// SPDX-License-Identifier: MIT

/// An error in starting or decoding a quiz.
public enum QuizError: Error, Hashable, Sendable {
  /// The album or artist has fewer tracks or albums than the quiz needs.
  case tooFew(needed: Int)
  /// The bytes don't begin with the magic number.
  case foreign
  /// This version doesn't read the format version.
  case unsupportedVersion(Int)
  /// The state belongs to another kind of quiz.
  case unexpectedKind(Int)
  /// The checksum doesn't match, or the length is wrong.
  case damaged
  /// The state belongs to other tracks than the album's.
  case otherTracks
  /// The checksum matches, but the content is invalid.
  case malformed
}

#if !hasFeature(Embedded)
extension QuizError: CustomStringConvertible {
  /// A message for people.
  public var description: String {
    switch self {
    case .tooFew(let needed): "This quiz needs at least \(needed) to choose from. Try another kind or album."
    case .foreign: "This is not the state of a quiz. Start the quiz again."
    case .unsupportedVersion(let version):
      "This quiz was begun with format version \(version), which this version of Longbox does not read."
    case .unexpectedKind(let kind):
      "This is the state of another kind of quiz (\(kind)). Start the quiz again."
    case .damaged: "The state of this quiz is damaged. Start the quiz again."
    case .otherTracks:
      "The album's list of tracks has changed since the quiz was begun. Start the quiz again."
    case .malformed: "The state of this quiz makes no sense. Start the quiz again."
    }
  }
}
#endif
