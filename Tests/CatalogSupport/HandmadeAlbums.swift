// Longbox
// SPDX-License-Identifier: MIT

import Foundation
package import TestSupport

/// Made-up replies of the iTunes Store and Wikipedia, with the irregularities of real ones, in the files
/// `longbox-replay` reads.
package enum HandmadeAlbums {
  /// Writes `itunes/` and `wikipedia/` into a folder.
  package static func write(to folder: TemporaryFolder) throws {
    try folder.write(
      Array(#"[{"file": "rows.json", "request": "https://itunes.apple.com/search"}]"#.utf8),
      to: "itunes/index.json"
    )
    let rows = artists + albums.map(\.row) + songs
    try folder.write(Array("\n\n{\"results\":[\(rows.joined(separator: ","))]}".utf8), to: "itunes/rows.json")
    let text = "{\"query\":{\"pages\":[\(pages.joined(separator: ","))]}}"
    try folder.write(Array(text.utf8), to: "wikipedia/pages.json")
  }

  private static let artists = [
    #"{"wrapperType":"artist","artistId":7,"artistName":"The Lamps","primaryGenreName":"Rock"}"#,
    #"{"wrapperType":"artist","artistId":8,"artistName":"Sløw <Lamp> & Cö","primaryGenreName":"Folk"}"#,
  ]

  private struct Row {
    var id: Int
    var name: String
    var year: Int
    var words = "notExplicit"
    var count = 1

    var row: String {
      """
      {"wrapperType":"collection","collectionType":"Album","artistId":7,"collectionId":\(id),"artistName":"The Lamps",\
      "collectionName":"\(name)","collectionExplicitness":"\(words)","trackCount":\(count),"copyright":"℗ Lamps & Sons",\
      "artworkUrl100":"https://is1-ssl.mzstatic.com/image/\(id)/100x100bb.jpg","releaseDate":"\(year)-03-02T08:00:00Z",\
      "collectionViewUrl":"https://music.apple.com/us/album/\(id)","primaryGenreName":"Rock"}
      """
    }
  }

  private static let albums = [
    Row(id: 70, name: "Wick", year: 1999, words: "explicit", count: 4),
    Row(id: 71, name: "Wick", year: 1999, words: "cleaned", count: 3),
    Row(id: 72, name: "Glow - Single", year: 2003),
    Row(id: 73, name: "Moth - EP", year: 2004),
    Row(id: 74, name: "Live at the Pole", year: 2005),
    Row(id: 75, name: "The Lamps", year: 2001),
  ]

  private static func song(_ album: Int, _ number: Int, _ title: String, disc: Int = 1, count: Int = 1)
    -> String
  {
    """
    {"wrapperType":"track","kind":"song","artistId":7,"collectionId":\(album),"trackId":\(album * 100 + disc * 10 + number),\
    "artistName":"The Lamps","trackName":"\(title)","trackCensoredName":"\(title)","discNumber":\(disc),\
    "trackNumber":\(number),"trackCount":\(count),"trackTimeMillis":65000}
    """
  }

  private static let songs = [
    song(70, 3, "Third <Light>", count: 3), song(70, 1, "First Light", count: 3),
    song(70, 1, "Other Side", disc: 2),
    song(71, 1, "First Light"), song(72, 1, "Glow"), song(73, 1, "Moth"), song(74, 1, "Pole"),
    song(75, 1, "Lamp"),
  ]

  private static let pages = [
    page(1, "Wick (album)", "1999 studio album by the Lamps", "Wick is the debut album by the Lamps."),
    page(2, "Wick", "Topics referred to by the same term", "Wick may refer to:", isDisambiguation: true),
    page(
      3,
      "The Lamps (2001 album)",
      "2001 studio album by the Lamps",
      "The Lamps is an album by the Lamps."
    ),
    page(
      4,
      "The Lamps (2002 album)",
      "2002 studio album by the Lamps",
      "The Lamps is another album by the Lamps."
    ),
    page(5, "The Lamps", "American band", "The Lamps are a band. Their album Wick sold well."),
  ]

  private static func page(
    _ id: Int,
    _ title: String,
    _ summary: String,
    _ extract: String,
    isDisambiguation: Bool = false
  ) -> String {
    let properties = isDisambiguation ? #","pageprops":{"disambiguation":""}"# : ""
    return """
      {"pageid":\(id),"title":"\(title)","description":"\(summary)","extract":"\(extract)","lastrevid":\(id)00\(properties)}
      """
  }
}
