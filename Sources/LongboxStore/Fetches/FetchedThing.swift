// Longbox
// SPDX-License-Identifier: MIT

/// What is fetched of a comic, each by a request of its own.
public enum FetchedThing: String, CaseIterable, Sendable {
  /// The record with title, alt text and transcript.
  case record
  /// The picture.
  case picture
  /// The picture of twice the resolution, which not every comic has.
  case doubleSize
}
