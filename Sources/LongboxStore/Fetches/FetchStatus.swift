// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date
public import struct LongboxCore.Comic

/// The state of fetching one part of a comic.
public struct FetchStatus: Hashable, Sendable {
  /// The possible states.
  public enum State: String, CaseIterable, Sendable {
    /// Never tried, or reset since.
    case never
    /// It is stored.
    case fetched
    /// The source has no such thing.
    case absent
    /// The last try failed.
    case failed
  }

  /// Which comic.
  public let number: Comic.Number
  /// The part.
  public let part: ComicPart
  /// The state; a stored part stays `fetched`, even if a later request fails.
  public let state: State
  /// Why the last try failed, as a sentence.
  public let reason: String?
  /// How many tries have failed since the last success.
  public let attempts: Int
  /// When to try again, to the second, or nil.
  public let nextTry: Date?
}
