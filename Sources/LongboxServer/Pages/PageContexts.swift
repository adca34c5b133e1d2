// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
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

  /// Whether a proxy has passed a request on that may have removed a path without naming it.
  func mayLackPath(_ head: HTTPRequest) -> Bool {
    basePath.isEmpty && head.namedBasePath == nil
      && (RequestKind.isForwarded(head) || RequestKind.opensPage(head) && !RequestKind.isDirect(head))
  }

  /// The context of a page.
  /// - Parameters:
  ///   - snapshot: the catalog's state that the page shows.
  ///   - head: the request for the page.
  ///   - origin: scheme, host, port and base path of the server for shared pages; empty for personal ones.
  ///   - isLocal: whether the reader uses the server's loopback address.
  func context(
    of snapshot: Catalog.Snapshot,
    for head: HTTPRequest,
    origin: String = "",
    isLocal: Bool = false
  ) -> PageContext {
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
    context.basePath = head.basePath(or: basePath).inPages
    context.mayLackPath = mayLackPath(head)
    context.shared = Text(string: shared ?? "")
    context.isLocal = isLocal
    context.origin = Text(string: origin)
    return context
  }
}
