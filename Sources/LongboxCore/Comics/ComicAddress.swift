// Longbox
// SPDX-License-Identifier: MIT

/// Addresses of comics at xkcd.com and explain xkcd, within other text.
package enum ComicAddress {
  /// The hosts of comics, with the start of their paths.
  ///
  /// Numbers at what-if.xkcd.com are those of articles.
  private static let starts: [Text] = [
    "xkcd.com/", "www.xkcd.com/", "m.xkcd.com/", "explainxkcd.com/", "www.explainxkcd.com/",
    "explainxkcd.com/wiki/index.php/", "www.explainxkcd.com/wiki/index.php/",
    "explainxkcd.com/wiki/index.php?title=",
    "www.explainxkcd.com/wiki/index.php?title=",
  ]

  /// The number in the address that starts at an index; nil if none does.
  ///
  /// It may be 404, or another number without a comic.
  /// - Parameters:
  ///   - text: the text in lower case, since hosts may have any case.
  ///   - start: the index.
  package static func number(in text: ArraySlice<UInt8>, at start: Int) -> Int? {
    guard start == text.startIndex || !isPartOfHost(text[start - 1]) else { return nil }
    let rest = text[start...]
    for host in starts where rest.starts(with: host.bytes) {
      let path = rest.dropFirst(host.count)
      let digits = path.prefix { $0.isASCIIDigit }
      // Not another page, such as that of 1000 Comics.
      if path.dropFirst(digits.count).first.map({ $0 == UInt8(ascii: "_") || $0.isASCIILetter }) ?? false {
        continue
      }
      if let number = Text(digits).number { return number }
    }
    return nil
  }

  /// The numbers in all addresses of a text, of equal ones in a row the first.
  package static func numbers(in text: ArraySlice<UInt8>) -> [Int] {
    let lowered = text.map { $0.lowercasedASCII }
    var numbers: [Int] = []
    for start in lowered.indices {
      guard let number = number(in: lowered[...], at: start), number != numbers.last else { continue }
      numbers.append(number)
    }
    return numbers
  }

  /// Whether a byte before a host belongs to it, as in `notxkcd.com`.
  package static func isPartOfHost(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
  }
}

extension Text {
  /// The number of the comic that the whole text names: `#353`, `xkcd 353`, `comic #353`, or its address.
  ///
  /// It may be 404, or another number without a comic.
  package var namedComic: Int? {
    let lowered = Array(bytes.trimmed()).map { $0.lowercasedASCII }
    if let number = Self.number(afterMark: lowered[...]) { return number }
    for word in ["xkcd", "comic"] as [StaticString] where lowered.starts(with: word.utf8Bytes) {
      let rest = lowered.dropFirst(word.utf8CodeUnitCount)
      guard rest.first?.isASCIISpace == true else { continue }
      let name = rest.trimmed()
      return Self.number(afterMark: name) ?? Text(name).number
    }
    guard !lowered.contains(where: { $0.isASCIISpace }) else { return nil }
    for scheme in ["https://", "http://", ""] as [StaticString] where lowered.starts(with: scheme.utf8Bytes) {
      return ComicAddress.number(in: lowered[...], at: scheme.utf8CodeUnitCount)
    }
    return nil
  }

  /// The number in `#353`.
  static func number(afterMark bytes: ArraySlice<UInt8>) -> Int? {
    bytes.first == UInt8(ascii: "#") ? Text(bytes.dropFirst()).number : nil
  }
}
