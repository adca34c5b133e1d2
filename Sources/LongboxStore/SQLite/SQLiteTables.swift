// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB

/// The tables in an SQLite database.
struct SQLiteTables: StoreTables {
  let database: Database
  /// The data folder, whose disk has the free space; nil where no library is written.
  var folder: URL?
  /// The size of all libraries, as this process knows it.
  var libraryTotal = LibraryTotal()

  var albums: any AlbumTable { SQLiteAlbumTable(database: database) }
  var comics: any ComicTable { SQLiteComicTable(database: database) }
  var credentials: any CredentialTable { SQLiteCredentialTable(database: database) }
  var explanations: any ExplanationTable { SQLiteExplanationTable(database: database) }
  var feeds: any FeedTable { SQLiteFeedTable(database: database) }
  var fetches: any FetchTable { SQLiteFetchTable(database: database) }
  var hooks: any HookTable { SQLiteHookTable(database: database) }
  var libraries: any LibraryTable {
    SQLiteLibraryTable(database: database, folder: folder, total: libraryTotal)
  }
  var newestCheck: any NewestCheckTable { SQLiteNewestCheckTable(database: database) }
  var pictures: any PictureTable { SQLitePictureTable(database: database) }
  var subscriptions: any SubscriptionTable { SQLiteSubscriptionTable(database: database) }
}
