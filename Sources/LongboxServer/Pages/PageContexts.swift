// Longbox
// SPDX-License-Identifier: MIT

import LongboxCatalog
import LongboxCore
import LongboxPages

/// Makes what the server tells every page about itself.
struct PageContexts: Sendable {
  /// The version of the web application's files, for their addresses.
  let assetVersion: String
  /// The program's version.
  let version: String

  /// What a page is told.
  /// - Parameters:
  ///   - snapshot: what the catalog has.
  ///   - origin: scheme, host and port by which a stranger reached the server, or empty.
  func context(of snapshot: Catalog.Snapshot, origin: String = "") -> PageContext {
    var context = PageContext(
      source: snapshot.downSince.map { .down(since: Text(string: $0.spelledInUTC)) } ?? .reachable,
      progress: snapshot.progress.map {
        .init(texts: $0.texts, pictures: $0.pictures, explanations: $0.explanations, total: $0.total)
      },
      assetVersion: Text(string: assetVersion),
      version: Text(string: version)
    )
    context.hasFeeds = true
    context.origin = Text(string: origin)
    return context
  }
}
