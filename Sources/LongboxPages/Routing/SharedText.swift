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

  /// The number in the first xkcd.com address in a text.
  private static func comic(in bytes: ArraySlice<UInt8>) -> Comic.Number? {
    let host: Text = "xkcd.com/"
    var rest = bytes
    while rest.count > host.count {
      if rest.starts(with: host.bytes) {
        let digits = rest.dropFirst(host.count).prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        return Text(digits).number.flatMap { Comic.Number($0) }
      }
      rest = rest.dropFirst()
    }
    return nil
  }
}
