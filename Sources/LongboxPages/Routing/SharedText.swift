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
  ///
  /// The page of a number without a comic says so.
  func link(in archive: Archive) -> Link {
    let names: [Text] = ["url", "text", "title"]
    for name in names {
      if let link = fields[name].flatMap({ Self.link(to: $0.bytes, in: archive) }) { return link }
    }
    for name in names {
      if let words = fields[name], !words.isEmpty { return .search(Link.Search(text: words)) }
    }
    return .latest
  }

  /// The hosts of comics, with the start of their paths; without one for the files of pictures.
  ///
  /// Numbers at what-if.xkcd.com are those of articles.
  private static let starts: [Text] = [
    "xkcd.com/", "www.xkcd.com/", "m.xkcd.com/", "explainxkcd.com/", "www.explainxkcd.com/",
    "explainxkcd.com/wiki/index.php/", "www.explainxkcd.com/wiki/index.php/",
    "explainxkcd.com/wiki/index.php?title=",
    "www.explainxkcd.com/wiki/index.php?title=",
  ]

  /// The comic of the first address in a text, by its number or its picture.
  private static func link(to bytes: ArraySlice<UInt8>, in archive: Archive) -> Link? {
    let lowered = bytes.map { $0.lowercasedASCII }
    for start in lowered.indices where start == 0 || !isPartOfHost(lowered[start - 1]) {
      let rest = lowered[start...]
      if rest.starts(with: pictures.bytes) {
        // The name in its own case, without the mark of double size.
        let name = bytes.dropFirst(start + pictures.count).prefix { $0 > 0x20 && $0 != UInt8(ascii: "?") }
        if let link = comic(ofPicture: name, in: archive) { return link }
      }
      for host in starts where rest.starts(with: host.bytes) {
        let path = rest.dropFirst(host.count)
        let digits = path.prefix { $0.isASCIIDigit }
        // Not another page, such as that of 1000 Comics.
        if path.dropFirst(digits.count).first.map({ $0 == UInt8(ascii: "_") || $0.isASCIILetter }) ?? false {
          continue
        }
        guard let number = Text(digits).number else { continue }
        if number == 404 { return .missingNumber }
        if let number = Comic.Number(number) { return .comic(number) }
      }
    }
    return nil
  }

  private static let pictures: Text = "imgs.xkcd.com/comics/"

  private static func comic(ofPicture name: ArraySlice<UInt8>, in archive: Archive) -> Link? {
    guard !name.isEmpty else { return nil }
    let doubled: Text = "_2x."
    let start = name.firstIndex(of: Array(doubled.bytes), from: name.startIndex)
    let plain = start.map { Array(name[..<$0]) + name[($0 + 3)...] } ?? Array(name)
    let path = ("/comics/" + Text(plain)).bytes
    var link: Link?
    archive.visit { comic in
      if comic.pictureAddress.bytes.suffix(path.count).elementsEqual(path) { link = .comic(comic.number) }
      return link == nil
    }
    return link
  }

  private static func isPartOfHost(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }
}
