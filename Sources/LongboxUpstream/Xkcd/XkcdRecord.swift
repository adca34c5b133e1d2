// Longbox
// SPDX-License-Identifier: MIT

import Foundation
public import LongboxCore

/// One `info.0.json` object, as xkcd sent it and decoded.
///
/// The bytes are kept verbatim: the rules for reading them improve (``DecodingRules``), and Longbox's
/// `/{n}/info.0.json` serves them. Number, date and title are required. Other fields that are missing or odd
/// are empty, and unknown fields are ignored.
public struct XkcdRecord: Equatable, Sendable {
  /// The longest record in bytes; xkcd's longest so far has 17,125.
  public static let byteLimit = 1 << 20

  /// The JSON object, verbatim.
  public let raw: [UInt8]
  /// `num`.
  public let number: Comic.Number
  /// `year`, `month`, `day`.
  public let date: CalendarDate
  /// `title`, with its entities and markup, or `safe_title` if it is empty.
  ///
  /// `safe_title` loses text (259, 3015, 3142).
  public let title: String
  /// `alt`.
  public let alt: String
  /// `transcript`, which belongs to another comic in places (1611 to 1677).
  public let transcript: String
  /// `img`.
  public let pictureAddress: String
  /// `link`.
  public let link: String
  /// `news`, which is HTML.
  public let news: String
  /// Whether `extra_parts` exists: scripts that make the comic interactive on xkcd.com.
  public let hasExtraParts: Bool

  /// Parses a record.
  /// - Parameter raw: the JSON object; white space around it is allowed.
  public init(raw: [UInt8]) throws(RecordFault) {
    guard raw.count <= Self.byteLimit else { throw .tooLong(limit: Self.byteLimit) }
    let fields = try Fields(json: raw)
    guard let number = Comic.Number(fields.num) else { throw .badNumber(fields.num) }
    guard let date = fields.date else { throw .badDate }
    guard let title = [fields.title, fields.safeTitle].first(where: { !$0.isEmpty }) else { throw .noTitle }
    self.raw = raw
    self.number = number
    self.date = date
    self.title = title
    alt = fields.alt
    transcript = fields.transcript
    pictureAddress = fields.pictureAddress
    link = fields.link
    news = fields.news
    hasExtraParts = fields.hasExtraParts
  }

  /// The comic that the record describes, by the current rules (``ComicRules``).
  /// - Parameter wiki: the comic's transcript on explain xkcd, which shows where the record's has lost slashes.
  public func comic(comparedWith wiki: Text = .empty) -> Comic {
    let alt = ComicRules.alt(Text(string: self.alt), of: number)
    let pictureAddress = ComicRules.pictureAddress(Text(string: self.pictureAddress))
    return Comic(
      number: number,
      date: date,
      title: ComicRules.title(Text(string: title)),
      alt: alt,
      transcript: ComicRules.transcript(Text(string: transcript), of: number, alt: alt, comparedWith: wiki),
      pictureAddress: pictureAddress,
      link: ComicRules.link(Text(string: link)),
      news: NewsHTML.news(news),
      isInteractive: ComicRules.isInteractive(hasExtraParts: hasExtraParts, pictureAddress: pictureAddress)
    )
  }
}

extension XkcdRecord {
  /// Why bytes are not the record of a comic.
  public enum RecordFault: Error, Equatable, Sendable {
    /// They are empty, or only white space.
    case empty
    /// They are an HTML page, such as a notice of maintenance.
    case html
    /// They are not one whole JSON object in UTF-8.
    case notAnObject
    /// They are more bytes than this.
    case tooLong(limit: Int)
    /// `num` is missing or not a whole number.
    case noNumber
    /// `num` is a number that no comic has.
    case badNumber(Int)
    /// `year`, `month` and `day` are missing or not a date.
    case badDate
    /// `title` and `safe_title` are both missing or empty.
    case noTitle
  }
}

extension XkcdRecord.RecordFault: JSONObjectFault {}

extension XkcdRecord.RecordFault: CustomStringConvertible {
  /// The fault, as the end of a sentence.
  public var description: String {
    switch self {
    case .empty: "it is empty"
    case .html: "it is an HTML page instead of JSON"
    case .notAnObject: "it is not one whole JSON object in UTF-8"
    case .tooLong(let limit): "it is longer than \(limit) bytes"
    case .noNumber: "its “num” is missing or not a whole number"
    case .badNumber(let number): "no comic has the number \(number)"
    case .badDate: "its year, month and day are missing or not a date"
    case .noTitle: "it has no title"
    }
  }
}

extension XkcdRecord {
  struct Fields {
    var num: Int
    var date: CalendarDate?
    var title: String
    var safeTitle: String
    var alt: String
    var transcript: String
    var pictureAddress: String
    var link: String
    var news: String
    var hasExtraParts: Bool

    /// Decodes the fields, or throws what the bytes are instead.
    init(json: [UInt8]) throws(RecordFault) {
      try RecordFault.checkObject(json)
      // Longbox serves these bytes as UTF-8.
      guard String(validating: json, as: UTF8.self) != nil else { throw .notAnObject }
      do {
        self = try JSONDecoder().decode(Fields.self, from: Data(json))
      } catch DecodingError.keyNotFound, DecodingError.typeMismatch, DecodingError.valueNotFound {
        // Only the number is decoded as a required field.
        throw .noNumber
      } catch {
        throw .notAnObject
      }
    }
  }
}

extension XkcdRecord.Fields: Decodable {
  enum Key: String, CodingKey {
    case num, year, month, day, title, alt, transcript, link, news
    case safeTitle = "safe_title"
    case pictureAddress = "img"
    case extraParts = "extra_parts"
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    func text(_ key: Key) -> String {
      (try? fields.decodeIfPresent(String.self, forKey: key)) ?? ""
    }
    func integer(_ key: Key) -> Int? {
      Int(text(key)) ?? (try? fields.decode(Int.self, forKey: key))
    }
    num = try fields.decode(Int.self, forKey: .num)
    date = integer(.year).flatMap { year in
      integer(.month).flatMap { month in
        integer(.day).flatMap { day in CalendarDate(year: year, month: month, day: day) }
      }
    }
    title = text(.title)
    safeTitle = text(.safeTitle)
    alt = text(.alt)
    transcript = text(.transcript)
    pictureAddress = text(.pictureAddress)
    link = text(.link)
    news = text(.news)
    hasExtraParts = fields.contains(.extraParts) && (try? fields.decodeNil(forKey: .extraParts)) == false
  }
}
