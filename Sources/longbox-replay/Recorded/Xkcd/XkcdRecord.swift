// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import NIOCore

/// A comic's JSON from xkcd's API, with the fields that replaying needs.
struct XkcdRecord: Sendable {
  let number: Int
  /// The last part of `img`, percent-encoded as in the record; empty if the comic has no picture.
  let pictureName: String
  /// The JSON, byte for byte as recorded.
  let json: ByteBuffer
  /// The day of publication at 04:00 UTC, or the time of replacement.
  let lastModified: Date

  /// Parses a record; `lastModified` defaults to the date of publication.
  init(json: ByteBuffer, lastModified: Date? = nil) throws(XkcdRecordError) {
    let fields: Fields
    do {
      fields = try JSONDecoder().decode(Fields.self, from: Data(json.readableBytesView))
    } catch let error as DecodingError {
      throw .malformed(error.sentence(about: "It"))
    } catch {
      throw .malformed("\(error)")
    }
    guard fields.num > 0 else { throw .malformed("'num' is \(fields.num), and comics are numbered from 1.") }
    guard let day = fields.day else { throw .malformed("'year', 'month' and 'day' are not a date.") }
    self.number = fields.num
    self.pictureName = String(
      fields.img[(fields.img.lastIndex(of: "/").map(fields.img.index(after:)) ?? fields.img.startIndex)...]
    )
    self.json = json
    self.lastModified = lastModified ?? day
  }

  private struct Fields: Decodable {
    let num: Int
    let img: String
    let year: String
    let month: String
    let day: Date?

    enum CodingKeys: CodingKey { case num, img, year, month, day }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      num = try container.decode(Int.self, forKey: .num)
      img = try container.decode(String.self, forKey: .img)
      year = try container.decode(String.self, forKey: .year)
      month = try container.decode(String.self, forKey: .month)
      day = Date(year: year, month: month, day: try container.decode(String.self, forKey: .day))
    }
  }
}

enum XkcdRecordError: Error, CustomStringConvertible {
  case malformed(String)

  var description: String {
    switch self {
    case .malformed(let reason): "This is not a record of xkcd's API: \(reason)"
    }
  }
}

extension Date {
  /// 04:00 UTC of a Gregorian day; nil unless year, month and day are numbers in range.
  fileprivate init?(year: String, month: String, day: String) {
    guard let year = Int(year), let month = Int(month), let day = Int(day),
      (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    // The days since 1970-01-01; years start in March, so that the leap day comes last.
    let shifted = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let days = 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    self.init(timeIntervalSince1970: Double(days * 86_400 + 4 * 3_600))
  }
}
