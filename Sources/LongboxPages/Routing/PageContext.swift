// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// The host's state, for all pages.
public struct PageContext: Equatable, Sendable {
  /// The state of the comics' source.
  public enum Source: Equatable, Sendable {
    /// It was not asked yet; a device asks only its server.
    case unknown
    /// It answered the last request.
    case reachable
    /// It has not answered since a time, such as "21 November 2026, 07:25 UTC".
    case down(since: Text)
  }

  /// The progress of the background fill.
  public struct Progress: Equatable, Sendable {
    /// The number of comics whose text is stored.
    public var texts: Int
    /// The number of comics whose picture is stored.
    public var pictures: Int
    /// The number of comics that have no picture on xkcd.com.
    public var absentPictures: Int
    /// The number of comics whose explanation is stored.
    public var explanations: Int
    /// The number of all comics.
    public var total: Int

    public init(texts: Int, pictures: Int, absentPictures: Int = 0, explanations: Int = 0, total: Int) {
      self.texts = texts
      self.pictures = pictures
      self.absentPictures = absentPictures
      self.explanations = explanations
      self.total = total
    }

    /// Whether all texts, and all pictures that exist, are stored.
    public var isComplete: Bool { texts >= total && pictures + absentPictures >= total }
  }

  /// The state of the source.
  public var source: Source
  /// The progress of the background fill, if the host fills.
  public var progress: Progress?
  /// The version of the web application's files, for their addresses.
  public var assetVersion: Text
  public var version: Text
  /// The path below which this site is, such as `/longbox`; empty if it has a host of its own.
  public var basePath: Text = .empty
  /// The public scheme, host, port and base path of this server, for share cards; empty if unknown.
  public var origin: Text = .empty
  /// What links start with that readers share: the server's public scheme, host, port and base path.
  ///
  /// Empty if people elsewhere can't reach it; readers share xkcd.com's addresses then.
  public var shared: Text = .empty
  /// Whether the host has feeds: a server does, a device doesn't.
  public var hasFeeds = false
  /// Whether devices sign in to this server; a device doesn't know.
  public var hasSignIn = false
  /// Whether everyone in the server's network may read and change without signing in; a device doesn't know.
  public var isOpen = false
  /// Whether the reader uses the server's loopback address, so probably sits at its machine; a device doesn't know.
  public var isLocal = false
  /// Whether the host is a device.
  public var isDevice = false
  /// Whether the host is a device without a connection.
  public var isOffline: Bool
  /// What the site offers.
  public var site = Site()
  #if !hasFeature(Embedded)
  /// The files of a static copy, for a page that is one of them; nil for a page that a host makes on request.
  public var files: StaticFiles?
  /// Whether a proxy has passed the request on that may have removed a path from the address, and doesn't say so.
  public var mayLackPath = false
  #endif

  /// Makes a context with nothing known by default.
  public init(
    source: Source = .unknown,
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

  #if !hasFeature(Embedded)
  /// The query of the picture that a page without its style sheet loads, relative to the page's own address.
  public static var unstyledQuery: Text { "?without-style" }
  #endif

  /// Whether the page is a file of a static copy, which must not change with each new comic.
  var isFile: Bool {
    #if hasFeature(Embedded)
    false
    #else
    files != nil
    #endif
  }
}

/// The reader's library, and the notice about their last edit.
struct Reader {
  let library: Library
  /// Whether the reader has a library.
  let isRemembered: Bool
  /// The last edit's notice, if not shown yet.
  let notice: Notice?
  /// Whether showing a comic counts as a view.
  var recordsViews = true

  /// Whether viewing a comic marks it as read: not if the reader just marked it as unread.
  func reads(_ comic: Comic.Number) -> Bool {
    isRemembered && recordsViews && notice?.kind != .markedUnread(comic)
  }

  static var stranger: Reader { Reader(library: Library(), isRemembered: false, notice: nil) }
}
