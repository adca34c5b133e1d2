// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// Whatever a host has at hand besides the archive.
public struct Shelf: Equatable, Sendable {
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

  /// The beginning of the explanation of a comic, for its disclosure.
  public struct ShelvedExplanation: Equatable, Sendable {
    /// The comic.
    public var comic: Comic.Number
    /// What the server made of it, see `ShownExplanation`; empty where the host has nothing at hand.
    public var beginning: HTML

    /// Puts a beginning on the shelf.
    public init(_ comic: Comic.Number, _ beginning: HTML) {
      self.comic = comic
      self.beginning = beginning
    }
  }

  /// How the source is doing.
  public var source: Source
  /// How far the background fill has come, where the host fills.
  public var progress: Progress?
  /// The version of the web application's files, for their addresses.
  public var assetVersion: Text
  /// The program's version.
  public var version: Text
  /// What the search came to that a page asked for.
  public var results: SearchResults?
  /// The explanations that a page asked for.
  public var explanations: [ShelvedExplanation] = []
  /// A page about albums, where one was asked for.
  public var albumPage: AlbumPage?
  /// The comics that were asked for and could not be had, so that a page can say so.
  public var unavailable: [Comic.Number]
  /// Scheme, host and port by which a stranger reached this host, for the card of a link that is shared, or empty.
  public var origin: Text = .empty
  /// Whether the host answers feed readers, so that pages tell of its feeds: a server does, a device does not.
  public var hasFeeds = false
  /// Whether the host is a device that has lost its connection.
  public var isOffline: Bool

  /// Makes a shelf, by default an empty one.
  public init(
    source: Source = .reachable,
    progress: Progress? = nil,
    assetVersion: Text = .empty,
    version: Text = .empty,
    unavailable: [Comic.Number] = [],
    isOffline: Bool = false
  ) {
    self.source = source
    self.progress = progress
    self.assetVersion = assetVersion
    self.version = version
    self.unavailable = unavailable
    self.isOffline = isOffline
  }

  /// The beginning of the explanation of a comic; nothing where the host did not look.
  func explanation(of comic: Comic.Number) -> HTML? {
    explanations.first { $0.comic == comic }?.beginning
  }
}
