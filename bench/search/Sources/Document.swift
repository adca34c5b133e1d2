// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

/// The texts of a comic that all engines index, prepared by Longbox's own rules.
struct Document: Codable {
  var number: Int
  var year: Int
  var month: Int
  var day: Int
  var title: String
  var alt: String
  var transcript: String
  var explanation: String

  /// The comic, or nil if its number or date is invalid.
  var comic: Comic? {
    guard let number = Comic.Number(number), let date = CalendarDate(year: year, month: month, day: day)
    else {
      return nil
    }
    return Comic(
      number: number,
      date: date,
      title: Text(string: title),
      alt: Text(string: alt),
      transcript: Text(string: transcript)
    )
  }
}

extension Document {
  /// A record of xkcd's API.
  private struct Record: Decodable {
    var num: Int
    var year: String
    var month: String
    var day: String
    var title: String
    var alt: String
    var transcript: String
  }

  /// A page of explain xkcd.
  private struct Page: Decodable {
    var num: Int
    var wikitext: String
  }

  /// Reads all comics, with transcripts and explanations if explain xkcd's pages are available.
  /// - Parameters:
  ///   - records: a file with one record of xkcd's API per line.
  ///   - pages: a file with one wiki page per line.
  static func all(records: URL, pages: URL?) throws -> [Document] {
    var wiki: [Int: WikiPage] = [:]
    if let pages {
      for page in try lines(of: pages, as: Page.self) {
        wiki[page.num] = WikiPage(wikitext: Text(string: page.wikitext))
      }
    }
    return try lines(of: records, as: Record.self).compactMap { record in
      guard
        let number = Comic.Number(record.num),
        let year = Int(record.year), let month = Int(record.month), let day = Int(record.day)
      else { return nil }
      let alt = Text(string: record.alt)
      let transcript =
        record.num <= ComicRules.lastOwnTranscript
        ? ComicRules.transcript(Text(string: record.transcript), of: number, alt: alt)
        : wiki[record.num]?.transcript ?? .empty
      return Document(
        number: record.num,
        year: year,
        month: month,
        day: day,
        title: ComicRules.title(Text(string: record.title)).description,
        alt: record.alt,
        transcript: transcript.description,
        explanation: wiki[record.num]?.explanation.plainText.description ?? ""
      )
    }
  }

  private static func lines<Line: Decodable>(of file: URL, as type: Line.Type) throws -> [Line] {
    let decoder = JSONDecoder()
    return try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map { line in
      try decoder.decode(type, from: line)
    }
  }
}
