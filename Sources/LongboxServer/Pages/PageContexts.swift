// Longbox
// SPDX-License-Identifier: MIT

import LongboxCatalog
import LongboxCore
import LongboxPages

/// Makes the context that every page gets from the server.
struct PageContexts: Sendable {
  /// The version of the web application's files, used in their addresses.
  let assetVersion: String
  let version: String
  /// The path below which the site is.
  var basePath = BasePath()
  /// What links start with that readers share, if people elsewhere can reach the server.
  var shared: String?
  /// Whether devices sign in.
  var hasSignIn = false
  /// Whether everyone in the network may read and change without signing in.
  var isOpen = false

  /// The context of a page.
  /// - Parameters:
  ///   - snapshot: the catalog's current state.
  ///   - origin: scheme, host, port and base path of the server for shared pages; empty for personal ones.
  ///   - isLocal: whether the reader uses the server's loopback address.
  func context(of snapshot: Catalog.Snapshot, origin: String = "", isLocal: Bool = false) -> PageContext {
    var context = PageContext(
      source: snapshot.downSince.map { .down(since: Text(string: $0.spelledInUTC)) }
        ?? (snapshot.hasAnswered ? .reachable : .unknown),
      progress: snapshot.progress.map {
        .init(
          texts: $0.texts,
          pictures: $0.pictures,
          absentPictures: $0.absentPictures,
          explanations: $0.explanations,
          total: $0.total
        )
      },
      assetVersion: Text(string: assetVersion),
      version: Text(string: version)
    )
    context.hasFeeds = true
    context.hasSignIn = hasSignIn
    context.isOpen = isOpen
    context.basePath = basePath.inPages
    context.shared = Text(string: shared ?? "")
    context.isLocal = isLocal
    context.origin = Text(string: origin)
    return context
  }
}
