// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// What another app shared: an address, text, or both.
struct SharedText {
  private let fields: FormFields

  init(_ fields: FormFields) {
    self.fields = fields
  }

  /// The comic whose address was shared; otherwise a search for the text.
  func link(upTo latest: Comic.Number?) -> Link {
    let names: [Text] = ["url", "text", "title"]
    for name in names {
      guard let comic = fields[name].flatMap({ Self.comic(in: $0.bytes) }), let latest, comic <= latest else {
        continue
      }
      return .comic(comic)
    }
    for name in names {
      if let words = fields[name], !words.isEmpty { return .search(Link.Search(text: words)) }
    }
    return .latest
  }

  /// The number in the first address of a comic in a text.
  private static func comic(in bytes: ArraySlice<UInt8>) -> Comic.Number? {
    let host: Text = "xkcd.com/"
    var rest = bytes
    while rest.count > host.count {
      if rest.starts(with: host.bytes), isComicHost(bytes[..<rest.startIndex]) {
        let digits = rest.dropFirst(host.count).prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        return Text(digits).number.flatMap { Comic.Number($0) }
      }
      rest = rest.dropFirst()
    }
    return nil
  }

  /// Whether `xkcd.com` after these bytes is the host of comics: numbers at what-if.xkcd.com are those of articles.
  private static func isComicHost(_ before: ArraySlice<UInt8>) -> Bool {
    let isPart = { (byte: UInt8) in
      byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
    let start = before.lastIndex { !isPart($0) }.map { $0 + 1 } ?? before.startIndex
    let subdomain = Text(before[start...])
    return subdomain.isEmpty || subdomain == "www." || subdomain == "m."
  }
}
