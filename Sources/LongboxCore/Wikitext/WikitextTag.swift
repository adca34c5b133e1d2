// Longbox
// SPDX-License-Identifier: MIT

extension WikitextExpansion {
  /// An HTML tag, supported by the wiki or not.
  struct Tag {
    /// The name in lower case.
    let name: [UInt8]
    let isEnd: Bool
    let isSelfClosing: Bool
    /// The text between the name and the end.
    let attributes: ArraySlice<UInt8>
    /// The index after the tag.
    let end: Int

    /// Parses the tag that starts at an index, or nil.
    init?(_ source: [UInt8], at start: Int, limit: Int) {
      var index = start + 1
      let isEnd = index < source.count && source[index] == UInt8(ascii: "/")
      if isEnd { index += 1 }
      let nameStart = index
      while index < source.count, source[index].isASCIILetter || source[index].isASCIIDigit,
        index - nameStart < 20
      {
        index += 1
      }
      guard index > nameStart, source[nameStart].isASCIILetter else { return nil }
      name = source[nameStart..<index].map { $0.lowercasedASCII }
      let attributesStart = index
      let furthest = min(source.count, start + limit)
      while index < furthest, source[index] != UInt8(ascii: ">"), source[index] != UInt8(ascii: "<") {
        index += 1
      }
      guard index < furthest, source[index] == UInt8(ascii: ">") else { return nil }
      let isSelfClosing = source[index - 1] == UInt8(ascii: "/") && index > attributesStart
      let attributes = source[attributesStart..<(isSelfClosing ? index - 1 : index)]
      guard attributes.first.map({ $0.isASCIISpace }) ?? true else { return nil }
      self.isEnd = isEnd
      self.isSelfClosing = isSelfClosing
      self.attributes = attributes
      end = index + 1
    }

    /// The value of an attribute, or empty.
    func value(of attribute: StaticString) -> [UInt8] {
      WikiAttributes.value(of: attribute, in: attributes)
    }
  }
}
