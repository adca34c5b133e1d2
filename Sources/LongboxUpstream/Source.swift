// Longbox
// SPDX-License-Identifier: MIT

/// A place on the network that Longbox reads from.
public enum Source: String, Hashable, Sendable, CaseIterable {
  /// The comics and their pictures.
  case xkcd
  /// What the comics mean, written by the readers of explainxkcd.com.
  case explain

  /// The name as it stands in a message to a reader.
  public var name: String {
    switch self {
    case .xkcd: "xkcd"
    case .explain: "explain xkcd"
    }
  }

  /// The hosts that the source itself uses, besides what the operator configures.
  ///
  /// A source may redirect to these, and to no other: see ``Transport/live(over:allowing:userAgent:redirectLimit:logger:)``.
  public var ownOrigins: Set<WebAddress.Origin> {
    let hosts =
      switch self {
      case .xkcd: ["xkcd.com", "www.xkcd.com", "imgs.xkcd.com"]
      case .explain: ["www.explainxkcd.com", "explainxkcd.com"]
      }
    return Set(hosts.map { WebAddress.Origin(scheme: .https, host: $0, port: 443) })
  }

  /// How fast the source may be asked, by its published limit or by ours where it publishes none.
  public var pace: Pace {
    switch self {
    case .xkcd: Pace(interval: .milliseconds(500), burst: 1)
    // Volunteers run it, and one answer may hold fifty pages.
    case .explain: Pace(interval: .seconds(2), burst: 2)
    }
  }
}
