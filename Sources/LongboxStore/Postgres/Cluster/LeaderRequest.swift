// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// A node's request to the leader to fetch something of a comic, because a reader waits for it.
public struct LeaderRequest: Hashable, Sendable {
  /// What is fetched.
  public enum Thing: String, Sendable {
    /// The comic's record.
    case record
    /// Its picture, with the record.
    case picture
    /// Its double-size picture.
    case doubleSize
    /// Its explanation.
    case explanation
  }

  /// What to fetch.
  public let thing: Thing
  /// The comic.
  public let number: Comic.Number

  /// Makes a request.
  public init(_ thing: Thing, of number: Comic.Number) {
    self.thing = thing
    self.number = number
  }

  /// What the leader has done about a request.
  public enum Outcome: Equatable, Sendable {
    /// Nothing yet.
    case waiting
    /// It has stored everything there is.
    case settled
    /// It can't be had; nil if the source has no such thing, else the reason.
    case failed(String?)
  }
}
