// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// The fields of a row that Longbox uses; each may be missing.
struct ITunesRow: Equatable, Sendable {
  var wrapperType: String
  var kind: String
  var artistID: UInt64
  var collectionID: UInt64
  var trackID: UInt64
  var artistName: String
  var collectionName: String
  var trackName: String
  var trackCensoredName: String
  var explicitness: String
  var artwork: String
  var view: String
  var trackCount: Int
  var discNumber: Int
  var trackNumber: Int
  var milliseconds: Int
  var copyright: String
  var releaseDate: String
  var genre: String

  /// The title with additions that the plain name may lack: "Warrior" becomes "Warrior (Sbtrkt Remix)"; a
  /// name with asterisks is not used.
  var title: String {
    let isMore = trackCensoredName.hasPrefix(trackName) && !trackCensoredName.contains("*")
    return isMore ? trackCensoredName : trackName
  }
}

extension ITunesRow: Decodable {
  private enum Key: String, CodingKey {
    case wrapperType, kind, artistId, collectionId, trackId, artistName, collectionName
    case trackName, trackCensoredName, collectionExplicitness, artworkUrl100, collectionViewUrl, trackCount
    case discNumber, trackNumber, trackTimeMillis, copyright, releaseDate, primaryGenreName
  }

  /// The longest text of a field, in bytes; the longest recorded name has 176.
  private static let longestText = 1_000

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    func text(_ key: Key) -> String {
      let value = (try? fields.decodeIfPresent(String.self, forKey: key)) ?? ""
      let text = value.utf8.count <= Self.longestText ? value : String(value.prefix(Self.longestText / 4))
      // Names of artists are compared by bytes.
      return text.utf8.allSatisfy { $0 < 0x80 } ? text : text.precomposedStringWithCanonicalMapping
    }
    func number(_ key: Key) -> Int { (try? fields.decodeIfPresent(Int.self, forKey: key)) ?? 0 }
    func id(_ key: Key) -> UInt64 { (try? fields.decodeIfPresent(UInt64.self, forKey: key)) ?? 0 }
    wrapperType = text(.wrapperType)
    kind = text(.kind)
    artistID = id(.artistId)
    collectionID = id(.collectionId)
    trackID = id(.trackId)
    artistName = text(.artistName)
    collectionName = text(.collectionName)
    trackName = text(.trackName)
    trackCensoredName = text(.trackCensoredName)
    explicitness = text(.collectionExplicitness)
    artwork = text(.artworkUrl100)
    view = text(.collectionViewUrl)
    trackCount = number(.trackCount)
    discNumber = number(.discNumber)
    trackNumber = number(.trackNumber)
    milliseconds = min(max(0, number(.trackTimeMillis)), 24 * 3_600_000)
    copyright = text(.copyright)
    releaseDate = text(.releaseDate)
    genre = text(.primaryGenreName)
  }
}
