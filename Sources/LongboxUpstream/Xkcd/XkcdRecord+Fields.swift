// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

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
