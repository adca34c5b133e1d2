// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// A request to the leader to fetch a part of a comic that a reader of a follower waits for.
public struct LeaderRequest: Hashable, Sendable {
  /// The parts of a comic that can be fetched.
  public enum Part: String, Sendable {
    /// The comic's record.
    case record
    /// Its picture, with the record.
    case picture
    /// Its double-size picture.
    case doubleSize
    /// The larger version of its picture.
    case larger
    /// Its explanation.
    case explanation

    /// The name in messages.
    public var name: String {
      switch self {
      case .record, .picture, .explanation: rawValue
      case .doubleSize: "double-size picture"
      case .larger: "larger version"
      }
    }
  }

  /// The part to fetch.
  public let part: Part
  /// The comic.
  public let number: Comic.Number

  /// Makes a request.
  public init(_ part: Part, of number: Comic.Number) {
    self.part = part
    self.number = number
  }

  /// The state of a request.
  public enum Outcome: Equatable, Sendable {
    /// The leader hasn't handled it yet.
    case waiting
    /// The leader has stored the part.
    case stored
    /// The leader couldn't fetch it; the reason, or nil if the source doesn't have it.
    case failed(String?)
  }
}
