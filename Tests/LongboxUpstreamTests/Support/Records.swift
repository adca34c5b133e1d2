// Longbox
// SPDX-License-Identifier: MIT

import LongboxUpstream

/// Records of comics that don't exist, in the form xkcd gives them.
enum Records {
  /// A record with everything in it.
  static func record(_ number: Int, title: String = "Bread", with more: String = "") -> [UInt8] {
    let text = """
      {"month": "2", "num": \(number), "link": "", "year": "2011", "news": "", "safe_title": "Bread", \
      "transcript": "[[A loaf.]]", "alt": "It rose.", "img": "https://imgs.xkcd.com/comics/bread.png", \
      "title": "\(title)", "day": "9"\(more)}
      """
    return Array(text.utf8)
  }
}
