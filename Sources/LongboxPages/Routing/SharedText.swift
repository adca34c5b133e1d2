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

  /// The comic of the first address in a text, by its number or its picture.
  private static func link(to bytes: ArraySlice<UInt8>, in archive: Archive) -> Link? {
    let lowered = bytes.map { $0.lowercasedASCII }
    for start in lowered.indices where start == 0 || !ComicAddress.isPartOfHost(lowered[start - 1]) {
      let rest = lowered[start...]
      if rest.starts(with: pictures.bytes) {
        // The name in its own case, without the mark of double size.
        let name = bytes.dropFirst(start + pictures.count).prefix { $0 > 0x20 && $0 != UInt8(ascii: "?") }
        if let link = comic(ofPicture: name, in: archive) { return link }
      }
      guard let number = ComicAddress.number(in: lowered[...], at: start) else { continue }
      if number == 404 { return .missingNumber }
      if let number = Comic.Number(number) { return .comic(number) }
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
}
