// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// In which form a feed is written.
public enum FeedFormat: Equatable, Sendable, CaseIterable {
  /// Atom (RFC 4287).
  case atom
  /// JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/).
  case json

  /// How the addresses of such feeds end.
  public var ending: Text {
    switch self {
    case .atom: ".atom"
    case .json: ".json"
    }
  }

  /// What people call it.
  public var name: Text {
    switch self {
    case .atom: "Atom"
    case .json: "JSON Feed"
    }
  }
}
