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

  /// The name in messages.
  public var name: String { self == .doubleSize ? "double-size picture" : rawValue }
}
