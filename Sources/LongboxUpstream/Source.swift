// Longbox
// SPDX-License-Identifier: MIT

/// A place on the network that Longbox reads from.
public enum Source: String, Hashable, Sendable, CaseIterable {
  /// The comics and their pictures.
  case xkcd
  /// What the comics mean, written by the readers of explainxkcd.com.
  case explain
  /// Artists, albums and tracks, as Apple's store knows them.
  case itunes
  /// The covers of albums, on Apple's picture servers.
  case artwork
  /// What an encyclopedia says of albums.
  case wikipedia

  /// The name as it stands in a message to a reader.
  public var name: String {
    switch self {
    case .xkcd: "xkcd"
    case .explain: "explain xkcd"
    case .itunes: "The iTunes Store"
    case .artwork: "The iTunes Store’s picture server"
    case .wikipedia: "Wikipedia"
    }
  }

  /// The hosts that the source itself uses, besides what the operator configures.
  ///
  /// A source may redirect to these, and to no other: see ``Transport/live(over:allowing:userAgent:redirectLimit:logger:)``.
  public var ownOrigins: Set<WebAddress.Origin> {
    let hosts: [String] =
      switch self {
      case .xkcd: ["xkcd.com", "www.xkcd.com", "imgs.xkcd.com"]
      case .explain: ["www.explainxkcd.com", "explainxkcd.com"]
      case .itunes: ["itunes.apple.com"]
      case .artwork: Self.pictureServers
      // Each language has a host of its own, which the operator's settings name.
      case .wikipedia: []
      }
    return Set(hosts.map { WebAddress.Origin(scheme: .https, host: $0, port: 443) })
  }

  /// Where the store keeps covers; the numbers spread the load.
  private static var pictureServers: [String] {
    [1, 2, 3, 4, 5].flatMap { (number: Int) -> [String] in
      ["is\(number)-ssl.mzstatic.com", "is\(number).mzstatic.com", "a\(number).mzstatic.com"]
    }
  }

  /// How fast the source may be asked, by its published limit or by ours where it publishes none.
  public var pace: Pace {
    switch self {
    case .xkcd: Pace(interval: .milliseconds(500), burst: 1)
    // Volunteers run it, and one answer may hold fifty pages.
    case .explain: Pace(interval: .seconds(2), burst: 2)
    // About twenty calls a minute are borne; see ``ITunesClient/callsPerMinute`` for how they are let through.
    case .itunes: Pace(interval: .seconds(4), burst: 1)
    case .artwork: Pace(interval: .milliseconds(100), burst: 12)
    case .wikipedia: Pace(interval: .seconds(1), burst: 4)
    }
  }
}
