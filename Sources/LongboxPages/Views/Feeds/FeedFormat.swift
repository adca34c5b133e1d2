// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// The format of a feed.
public enum FeedFormat: Equatable, Sendable, CaseIterable {
  /// Atom (RFC 4287).
  case atom
  /// JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/).
  case json

  /// The end of such a feed's path.
  public var ending: Text {
    switch self {
    case .atom: ".atom"
    case .json: ".json"
    }
  }

  /// The name for readers.
  public var name: Text {
    switch self {
    case .atom: "Atom"
    case .json: "JSON Feed"
    }
  }
}
