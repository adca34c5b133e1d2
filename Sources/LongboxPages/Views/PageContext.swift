// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// What a host tells every page about itself.
public struct PageContext: Equatable, Sendable {
  /// How the source of the comics is doing.
  public enum Source: Equatable, Sendable {
    /// It answered when it was last asked, or has not been asked yet.
    case reachable
    /// It has not answered since the hour given, as text such as "21 November 2026, 07:25 UTC".
    case down(since: Text)
  }

  /// How far the background fill has come.
  public struct Progress: Equatable, Sendable {
    /// The comics whose text is stored.
    public var texts: Int
    /// The comics whose picture is stored.
    public var pictures: Int
    /// The comics whose explanation is stored.
    public var explanations: Int
    /// The comics that there are.
    public var total: Int

    /// Makes a progress.
    public init(texts: Int, pictures: Int, explanations: Int = 0, total: Int) {
      self.texts = texts
      self.pictures = pictures
      self.explanations = explanations
      self.total = total
    }

    /// Whether everything is stored.
    public var isComplete: Bool { texts >= total && pictures >= total }
  }

  /// How the source is doing.
  public var source: Source
  /// How far the background fill has come, where the host fills.
  public var progress: Progress?
  /// The version of the web application's files, for their addresses.
  public var assetVersion: Text
  /// The program's version.
  public var version: Text
  /// Scheme, host and port by which a stranger reached this host, for the card of a link that is shared, or empty.
  public var origin: Text = .empty
  /// Whether the host answers feed readers, so that pages tell of its feeds: a server does, a device does not.
  public var hasFeeds = false
  /// Whether the host is a device that has lost its connection.
  public var isOffline: Bool

  /// Makes a context, by default one of which nothing is known.
  public init(
    source: Source = .reachable,
    progress: Progress? = nil,
    assetVersion: Text = .empty,
    version: Text = .empty,
    isOffline: Bool = false
  ) {
    self.source = source
    self.progress = progress
    self.assetVersion = assetVersion
    self.version = version
    self.isOffline = isOffline
  }
}
