// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

/// Replies about albums, Wikipedia's articles, and covers.
protocol AlbumTable {
  func reply(to question: String) throws -> StoredReply?

  /// The values that `read` makes of a kind's replies, newest first; one reply is in memory at a time.
  func replies<Value>(
    of kind: StoredReply.Kind,
    _ read: (_ question: String, _ reply: StoredReply) -> Value?
  ) throws -> [Value]

  func put(_ reply: StoredReply, kind: StoredReply.Kind, to question: String) throws
  func article(of album: StoreID, language: String) throws -> StoredReply?
  func putArticle(_ reply: StoredReply, of album: StoreID, language: String, keeping limit: Int) throws
  func expireArticle(of album: StoreID, language: String) throws
  func artworkAddress(of album: StoreID) throws -> String?

  /// An address is kept beyond the limit while its cover is stored.
  func putArtworkAddresses(_ addresses: [StoreID: String], heardAt: Date, keeping limit: Int) throws

  /// The file of the cover at the album's present address.
  func artwork(_ size: ArtworkSize, of album: StoreID) throws -> PictureFile?

  /// The file of an album's cover, from any address.
  func anyArtwork(_ size: ArtworkSize, of album: StoreID) throws -> PictureFile?

  func put(
    _ file: PictureFile,
    at address: String,
    _ size: ArtworkSize,
    of album: StoreID,
    fetchedAt: Date
  ) throws

  /// Removes the oldest covers.
  /// - Returns: their files, which another album may still use.
  func forgetArtwork(keeping limit: Int) throws -> Set<ContentName>

  func artworkFiles() throws -> Set<PictureFile>
  func hasArtwork(_ name: ContentName) throws -> Bool
}
