// Longbox
// SPDX-License-Identifier: MIT

/// The tables of one engine, within one read or one transaction.
protocol StoreTables {
  var albums: any AlbumTable { get }
  var comics: any ComicTable { get }
  var credentials: any CredentialTable { get }
  var explanations: any ExplanationTable { get }
  var feeds: any FeedTable { get }
  var fetches: any FetchTable { get }
  var hooks: any HookTable { get }
  var libraries: any LibraryTable { get }
  var newestCheck: any NewestCheckTable { get }
  var pictures: any PictureTable { get }
  var subscriptions: any SubscriptionTable { get }
}
