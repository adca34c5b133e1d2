// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import NIOCore

/// One object of xkcd's API: its bytes as they were recorded, and the little that replaying needs to know of them.
struct XkcdRecord: Sendable {
  let number: Int
  /// The last part of `img`, percent-encoded as it stands there; empty where a comic has no picture.
  let pictureName: String
  /// The object, byte by byte as the API wrote it.
  let json: ByteBuffer
  /// The day of publication, 04:00 UTC, or when it was replaced.
  let lastModified: Date

  /// Reads the few fields that matter; the date of publication is taken from the record unless one is given.
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

  /// The part of the record that is read.
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

/// Why bytes are not a record of xkcd's API.
enum XkcdRecordError: Error, CustomStringConvertible {
  case malformed(String)

  var description: String {
    switch self {
    case .malformed(let reason): "This is not a record of xkcd's API: \(reason)"
    }
  }
}

extension Date {
  /// 04:00 UTC of a day of the Gregorian calendar; nil unless all three are numbers and a month and day can be so.
  fileprivate init?(year: String, month: String, day: String) {
    guard let year = Int(year), let month = Int(month), let day = Int(day),
      (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    // Days since 1970-01-01, counted in years that begin in March, so that the leap day comes last.
    let shifted = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let days = 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    self.init(timeIntervalSince1970: Double(days * 86_400 + 4 * 3_600))
  }
}
