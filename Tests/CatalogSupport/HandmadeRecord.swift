// Longbox
// SPDX-License-Identifier: MIT

package import Foundation

/// Records of made-up comics, in xkcd's format.
package enum HandmadeRecord {
  /// A record as xkcd writes it: dates as unpadded text, the number as a number.
  /// - Parameters:
  ///   - number: the comic's number.
  ///   - title: as JSON text without the quotes.
  ///   - image: the picture's file name, or an empty string.
  ///   - date: the publication date.
  ///   - alt: as JSON text without the quotes.
  ///   - transcript: as JSON text without the quotes.
  ///   - more: further fields, starting with a comma.
  package static func raw(
    _ number: Int,
    title: String? = nil,
    image: String? = nil,
    date: Date = Date(timeIntervalSince1970: 1_300_000_000),
    alt: String = "It rose.",
    transcript: String = "[[A loaf.]]",
    more: String = ""
  ) -> [UInt8] {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let day = calendar.dateComponents([.year, .month, .day], from: date)
    let title = title ?? "Bread \(number)"
    let text = """
      {"month": "\(day.month ?? 1)", "num": \(number), "link": "", "year": "\(day.year ?? 1)", "news": "", \
      "safe_title": "\(title)", "transcript": "\(transcript)", "alt": "\(alt)", \
      "img": "https://imgs.xkcd.com/comics/\(image ?? "bread_\(number).png")", "title": "\(title)", \
      "day": "\(day.day ?? 1)"\(more)}
      """
    return Array(text.utf8)
  }

  /// A picture a few pixels wide, different for each number.
  package static func picture(_ number: Int, scale: Int = 1) -> [UInt8] {
    HandmadePicture.png((3 + number % 7) * scale, 4 * scale) { x, y in
      [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8), UInt8(x + y & 0xFF)]
    }
  }
}
