// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxPages

/// A comic as a comic book with one page: a ZIP archive of the picture and ComicInfo.xml
/// (https://anansi-project.github.io/docs/comicinfo/documentation).
struct ComicBook {
  let comic: ArchivedComic
  let series: Series
  let picture: [UInt8]
  let mediaType: String

  /// The archive; the same comic always gives the same bytes.
  var bytes: [UInt8] {
    var zip = StoredZip(date: comic.date)
    zip.add(picture, named: "\(name).\(ending)")
    zip.add(info, named: "ComicInfo.xml")
    return zip.bytes
  }

  /// The file name without its extension.
  var name: String { series.filePrefix + "\(comic.number.value)" }

  private var ending: String {
    switch mediaType {
    case "image/png": "png"
    case "image/gif": "gif"
    default: "jpg"
    }
  }

  private var info: [UInt8] {
    XML(
      "ComicInfo",
      [
        ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
        ("xmlns:xsd", "http://www.w3.org/2001/XMLSchema"),
      ]
    ) {
      XML("Title", text: comic.title.description)
      XML("Series", text: series.name)
      XML("Number", text: "\(comic.number.value)")
      XML("Summary", text: comic.alt.description)
      XML("Notes", text: series.rights.licence.map { "\(series.rights.words), \($0)" } ?? series.rights.words)
      if let date = comic.date {
        XML("Year", text: "\(date.year)")
        XML("Month", text: "\(date.month)")
        XML("Day", text: "\(date.day)")
      }
      XML("Writer", text: series.author.name)
      if let page = series.page(of: comic.number) { XML("Web", text: page) }
      XML("PageCount", text: "1")
      XML("LanguageISO", text: "en")
    }
    .document
  }
}
