// Longbox
// SPDX-License-Identifier: MIT

/// Why there is no quiz, or bytes are not the state of one.
public enum QuizError: Error, Hashable, Sendable {
  /// The album or artist has fewer tracks, or fewer albums, than the quiz needs.
  case tooFew(needed: Int)
  /// The bytes do not begin as a state does.
  case foreign
  /// A state of a format that this version does not read.
  case unsupportedVersion(Int)
  /// A state, but of another kind of quiz.
  case unexpectedKind(Int)
  /// The checksum does not fit the bytes, or there are too many or too few.
  case damaged
  /// The state was made of other tracks than the album has.
  case otherTracks
  /// The checksum fits, but what it covers makes no sense.
  case malformed
}

#if !hasFeature(Embedded)
extension QuizError: CustomStringConvertible {
  /// A sentence for people.
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
