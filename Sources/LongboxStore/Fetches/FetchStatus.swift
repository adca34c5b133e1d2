// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date
public import struct LongboxCore.Comic

/// How the fetching of one thing of a comic went.
public struct FetchStatus: Hashable, Sendable {
  /// How it stands.
  public enum State: String, CaseIterable, Sendable {
    /// Never tried, or forgotten since.
    case never
    /// It is stored.
    case fetched
    /// The source has no such thing.
    case absent
    /// It could not be had.
    case failed
  }

  /// Which comic.
  public let number: Comic.Number
  /// Which thing of it.
  public let thing: FetchedThing
  /// How it stands.
  ///
  /// What is stored stays `fetched`, even where a later look at the source failed.
  public let state: State
  /// Why the last try failed, as a sentence.
  public let reason: String?
  /// How many tries have failed since the last success.
  public let attempts: Int
  /// When to try again of our own accord, to the second, or nothing.
  public let nextTry: Date?
}
