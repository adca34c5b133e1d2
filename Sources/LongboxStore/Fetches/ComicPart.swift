// Longbox
// SPDX-License-Identifier: MIT

/// What is fetched of a comic, each with its own request.
public enum ComicPart: String, CaseIterable, Sendable {
  /// The record with title, alt text and transcript.
  case record
  /// The picture.
  case picture
  /// The double-size picture, which not every comic has.
  case doubleSize
  /// The larger version, to which some comics link.
  case larger

  /// The name in messages.
  public var name: String {
    switch self {
    case .record, .picture: rawValue
    case .doubleSize: "double-size picture"
    case .larger: "larger version"
    }
  }
}
