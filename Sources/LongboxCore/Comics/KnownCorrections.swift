// Longbox
// SPDX-License-Identifier: MIT

/// Corrections of single records that no rule can derive, each with its source.
enum KnownCorrections {
  /// A part of an alt text that the record has wrong.
  private struct AltText {
    let number: Int
    let wrong: StaticString
    let right: StaticString
  }

  private static let altTexts: [AltText] = [
    // explain xkcd's `titletext` has <br> where the record has lost the backslash of `\n`.
    AltText(number: 2576, wrong: "n⬜", right: "\n⬜")
  ]

  /// Comics whose point is in the colors of a picture without much color, so dark pages must not invert it.
  static let coloredPictures: [Int] = [
    1551, 1913, 2018, 2622,
    // The picture itself: the order of red, yellow and black tells one snake from the other.
    1604,
  ]

  /// An alt text with the known corrections.
  static func alt(_ alt: ArraySlice<UInt8>, of number: Comic.Number) -> ArraySlice<UInt8> {
    var corrected = alt
    for row in altTexts where row.number == number.value {
      var rest = corrected
      var parts: [UInt8] = []
      while let place = rest.firstIndex(of: row.wrong.utf8Bytes, from: rest.startIndex) {
        parts += rest[..<place] + row.right.utf8Bytes
        rest = rest[(place + row.wrong.utf8CodeUnitCount)...]
      }
      corrected = (parts + rest)[...]
    }
    return corrected
  }
}
