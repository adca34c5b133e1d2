// Longbox
// SPDX-License-Identifier: MIT

/// A network source that Longbox reads from.
public enum Source: String, Hashable, Sendable, CaseIterable {
  /// The comics and their pictures.
  case xkcd
  /// Explanations of the comics, written by the readers of explainxkcd.com.
  case explain
  /// Artists, albums and tracks from Apple's store.
  case itunes
  /// Album covers, on Apple's picture servers.
  case artwork
  /// Articles about albums.
  case wikipedia

  /// The name within a sentence to a reader.
  public var name: String {
    switch self {
    case .xkcd: "xkcd"
    case .explain: "explain xkcd"
    case .itunes: "the iTunes Store"
    case .artwork: "the iTunes Store’s picture server"
    case .wikipedia: "Wikipedia"
    }
  }

  /// The name at the start of a sentence.
  public var nameAtStart: String {
    name.hasPrefix("the ") ? "The \(name.dropFirst(4))" : name
  }

  /// The source's own hosts, besides what the operator configures; it may redirect only to these: see
  /// ``Transport/live(over:allowing:userAgent:redirectLimit:logger:)``.
  public var ownOrigins: Set<WebAddress.Origin> {
    let hosts: [String] =
      switch self {
      case .xkcd: ["xkcd.com", "www.xkcd.com", "imgs.xkcd.com"]
      case .explain: ["www.explainxkcd.com", "explainxkcd.com"]
      case .itunes: ["itunes.apple.com"]
      case .artwork: Self.pictureServers
      // Each language has its own host, which the settings name.
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

  /// The allowed rate: the source's published limit, or ours if it publishes none.
  public var pace: Pace {
    switch self {
    case .xkcd: Pace(interval: .milliseconds(500), burst: 1, readerBurst: 5)
    // Volunteers run it, and one reply may hold fifty pages.
    case .explain: Pace(interval: .seconds(2), burst: 2)
    // The store allows about twenty calls a minute; see ``ITunesClient/callsPerMinute`` for the limit in use.
    case .itunes: Pace(interval: .seconds(4), burst: 1)
    case .artwork: Pace(interval: .milliseconds(100), burst: 12)
    case .wikipedia: Pace(interval: .seconds(1), burst: 4)
    }
  }
}
