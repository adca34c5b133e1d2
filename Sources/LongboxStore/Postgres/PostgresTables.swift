// Longbox
// SPDX-License-Identifier: MIT

/// The tables in PostgreSQL, on one connection.
struct PostgresTables: StoreTables {
  let session: PostgresSession
  let libraryTotal: LibraryTotal

  /// - Parameter libraryTotal: what the node knows of the size of all libraries.
  init(session: PostgresSession, libraryTotal: LibraryTotal = LibraryTotal()) {
    self.session = session
    self.libraryTotal = libraryTotal
  }

  var albums: any AlbumTable { PostgresAlbumTable(session: session) }
  var comics: any ComicTable { PostgresComicTable(session: session) }
  var credentials: any CredentialTable { PostgresCredentialTable(session: session) }
  var explanations: any ExplanationTable { PostgresExplanationTable(session: session) }
  var feeds: any FeedTable { PostgresFeedTable(session: session) }
  var fetches: any FetchTable { PostgresFetchTable(session: session) }
  var hooks: any HookTable { PostgresHookTable(session: session) }
  var libraries: any LibraryTable { PostgresLibraryTable(session: session, total: libraryTotal) }
  var newestCheck: any NewestCheckTable { PostgresNewestCheckTable(session: session) }
  var pictures: any PictureTable { PostgresPictureTable(session: session) }
  var subscriptions: any SubscriptionTable { PostgresSubscriptionTable(session: session) }
}
