// Longbox
// SPDX-License-Identifier: MIT

import LongboxUpstream

/// Records of made-up comics, in xkcd's format.
enum Records {
  /// A record with all fields.
  static func record(_ number: Int, title: String = "Bread", with more: String = "") -> [UInt8] {
    let text = """
      {"month": "2", "num": \(number), "link": "", "year": "2011", "news": "", "safe_title": "Bread", \
      "transcript": "[[A loaf.]]", "alt": "It rose.", "img": "https://imgs.xkcd.com/comics/bread.png", \
      "title": "\(title)", "day": "9"\(more)}
      """
    return Array(text.utf8)
  }
}
